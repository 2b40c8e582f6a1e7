// For a visitor who is not signed in: why, and how; and what a guest's link asks a visitor who is.

import { faultOf, leave } from "../app/oidc.js";
import type { Why } from "../app/session.js";
import type { Settings } from "../app/settings.js";
import type { Words } from "../words/index.js";

/** Say how to sign in, and why the visitor is not. */
export function SignIn({ settings, words, why, onFailed }: { settings: Settings; words: Words; why: Why; onFailed: (why: Why) => void }) {
  const { oidc, guests } = settings;
  const said = typeof why === "object" ? words.providerElsewhere(why.origin) : why && words[why];
  return (
    <section class="sign-in">
      <h1>{words.signIn}</h1>
      {said === undefined ? <p>{words.signInWhy}</p> : <div class="notice bad" role="alert">{said}</div>}
      {oidc !== undefined && (
        <button type="button" class="main" onClick={() => { leave(oidc).catch((thrown: unknown) => { onFailed(faultOf(thrown)); }); }}>
          {words.signInWith(new URL(oidc.issuer).host)}
        </button>
      )}
      {guests && <p class="muted">{words.guestHow}</p>}
    </section>
  );
}

/** Ask a visitor who is signed in whether a guest's link takes that place. */
export function AskGuest({ words, name, onYes, onNo }: { words: Words; name: string; onYes: () => void; onNo: () => void }) {
  return (
    <section class="sign-in">
      <h1>{words.askGuest}</h1>
      <p>{words.askGuestWhy(name)}</p>
      <button type="button" class="main" onClick={onNo}>{words.askGuestNo(name)}</button>
      <button type="button" onClick={onYes}>{words.askGuestYes}</button>
    </section>
  );
}
