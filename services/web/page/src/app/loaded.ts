// What is asked of the house once: on its way, there, or refused.

import { useEffect, useState } from "preact/hooks";

export type Loaded<T> =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "refused"; readonly thrown: unknown; readonly again: () => void };

/** Ask for something whenever one of `keys` changes. */
export function useLoaded<T>(ask: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isWanted = true;
    setLoaded({ state: "loading" });
    const again = (): void => {
      setTries((before) => before + 1);
    };
    ask().then(
      (value) => {
        if (isWanted) setLoaded({ state: "there", value });
      },
      (thrown: unknown) => {
        if (isWanted) setLoaded({ state: "refused", thrown, again });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [...keys, tries]);
  return loaded;
}
