// For a visitor who is not signed in: why, and how.

import { leave } from "../app/oidc.js";
import type { Settings } from "../app/settings.js";
import type { Words } from "../words/index.js";

export type Why = "linkUsed" | "signInFailed" | "expired" | undefined;

/** Say how to sign in, and why the visitor is not. */
export function SignIn({ settings, words, why, onFailed }: { settings: Settings; words: Words; why: Why; onFailed: () => void }) {
  const { oidc, guests } = settings;
  return (
    <section class="sign-in">
      <h1>{words.signIn}</h1>
      {why === undefined ? <p>{words.signInWhy}</p> : <div class="notice bad" role="alert">{words[why]}</div>}
      {oidc !== undefined && (
        <button type="button" class="main" onClick={() => { leave(oidc).catch(onFailed); }}>
          {words.signInWith(new URL(oidc.issuer).host)}
        </button>
      )}
      {guests && <p class="muted">{words.guestHow}</p>}
    </section>
  );
}
