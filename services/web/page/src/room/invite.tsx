// An invitation to a private table, as a link for one player and one day.

import { useState } from "preact/hooks";

import { useSite } from "../app/site.js";

const DAY_S = 86_400;

/** A button that makes an invitation and shows its link. */
export function Invite({ tableId }: { tableId: string }) {
  const { house, words, report } = useSite();
  const [link, setLink] = useState("");
  const [isCopied, setCopied] = useState(false);
  const make = async (): Promise<void> => {
    const expireTime = { seconds: BigInt(Math.floor(Date.now() / 1000) + DAY_S), nanos: 0 };
    const { code } = await house.invite(tableId, { uses: 1, expireTime });
    setCopied(false);
    setLink(`${location.origin}/tables/${tableId}#invitation=${code}`);
  };
  return (
    <>
      <button type="button" onClick={() => { make().catch(report); }}>{words.invite}</button>
      {link && (
        <label class="invitation">
          {words.invitation}
          <input readOnly value={link} onFocus={(event) => { event.currentTarget.select(); }} />
          <button type="button" onClick={() => { navigator.clipboard.writeText(link).then(() => { setCopied(true); }, report); }}>
            {isCopied ? words.copied : words.copy}
          </button>
        </label>
      )}
    </>
  );
}
