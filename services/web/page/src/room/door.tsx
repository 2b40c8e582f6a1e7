// The door of a private table: an invitation opens it.

import { useEffect, useState } from "preact/hooks";

import { Notice } from "../app/parts.js";
import { told } from "../app/refusals.js";
import { useSite } from "../app/site.js";

/** Ask for an invitation, or use the one of the address. */
export function Door({ tableId, onEntered }: { tableId: string; onEntered: () => void }) {
  const { house, words } = useSite();
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState("");
  const enter = (with_: string): void => {
    house.acceptInvitation(tableId, with_).then(onEntered, (thrown: unknown) => {
      setRefused(told(thrown, words));
    });
  };
  useEffect(() => {
    const given = new URLSearchParams(location.hash.slice(1)).get("invitation");
    if (given === null) return;
    history.replaceState(null, "", location.pathname);
    enter(given);
  }, []);
  return (
    <form
      class="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        enter(code);
      }}
    >
      <p>{words.badInvitation}</p>
      <label>
        {words.invitationCode}
        <input required value={code} maxLength={100} onInput={(event) => { setCode(event.currentTarget.value); }} />
      </label>
      {refused && <Notice kind="bad">{refused}</Notice>}
      <p class="row">
        <button type="submit" class="main">{words.useInvitation}</button>
        <a class="button" href="/">{words.backToLobby}</a>
      </p>
    </form>
  );
}
