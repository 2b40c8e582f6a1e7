// Words that were drawn before their letters came.

/** Have all text laid out again whenever letters have come, which is once for each load of a font's slices. */
export function drawAgainWithLetters(): void {
  document.fonts.addEventListener("loadingdone", drawAgain);
}

/**
 * Have all text laid out again once letters have come: Chromium keeps the boxes of words that it drew without them, and
 * asks its fonts again at another size only.
 */
function drawAgain(): void {
  const { style } = document.documentElement;
  style.fontSize = "101%";
  document.body.getBoundingClientRect(); // lays out
  style.fontSize = "";
}
