// Addresses of the page, and links between them that load nothing anew.

import { useEffect, useState } from "preact/hooks";

const CHANGED = "pitboss:address";

/** Go to an address of the page. */
export function go(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new Event(CHANGED));
  scrollTo(0, 0);
}

/** Return the path of the address, and draw anew when it changes. */
export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const changed = (): void => {
      setPath(location.pathname);
    };
    addEventListener("popstate", changed);
    addEventListener(CHANGED, changed);
    return () => {
      removeEventListener("popstate", changed);
      removeEventListener(CHANGED, changed);
    };
  }, []);
  return path;
}

/** Take over a click on a link of the page, unless it asks for a new tab. */
export function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link?.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
