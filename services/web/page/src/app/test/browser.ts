// What a page needs of a browser, in Node: address, storage of the tab, and a provider and server that tests speak for.


/** What a test answers to a call: the status and the body, or nothing where nobody answers. */
export type Answer = { readonly status: number; readonly body?: unknown } | undefined;
export type Answers = (address: string, body: string) => Answer | Promise<Answer>;

export const ISSUER = "https://id.example";
export const SETTINGS = {
  gateway: "https://house.example",
  guests: true,
  oidc: { issuer: ISSUER, client: "page", scope: "openid", resource: "", origins: [] as string[] },
} as const;

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  revocation_endpoint: `${ISSUER}/revoke`,
  end_session_endpoint: `${ISSUER}/end`,
};

/** The calls of the page since `browser`, each with its body. */
export const sent: { readonly address: string; readonly body: string }[] = [];
/** Where the page has gone. */
export const gone: URL[] = [];

/** Make a tab at an address, with a provider and a server that answer as told. */
export function browser(path: string, answers: Answers, metadata: Partial<typeof METADATA> = {}): void {
  sent.length = 0;
  gone.length = 0;
  const kept = new Map<string, string>();
  const at = new URL(path, "https://page.example");
  Object.assign(globalThis, {
    sessionStorage: {
      get length() { return kept.size; },
      key: (one: number) => [...kept.keys()][one] ?? null,
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => { kept.set(name, text); },
      removeItem: (name: string) => { kept.delete(name); },
    },
    location: {
      get hash() { return at.hash; },
      get search() { return at.search; },
      get pathname() { return at.pathname; },
      origin: at.origin,
      assign: (target: URL) => { gone.push(target); },
    },
    history: { replaceState: (_: unknown, __: string, to: string) => { at.href = new URL(to, at.origin).href; } },
    fetch: async (address: string, init?: RequestInit) => {
      const body = init?.body === undefined ? "" : String(init.body as string | URLSearchParams);
      sent.push({ address, body });
      if (address.endsWith("/.well-known/openid-configuration")) return Response.json({ ...METADATA, ...metadata });
      const found = await answers(address, body);
      if (found === undefined) throw new TypeError("no line");
      return Response.json(found.body ?? {}, { status: found.status });
    },
  });
}

/** Move the tab to another address, as a provider does that sends the visitor back. */
export function moved(path: string): void {
  history.replaceState(null, "", path);
}

/** Return a token with claims; nobody checks its signature here. */
export function token(sub: string, seconds: number, more: Record<string, unknown> = {}): string {
  const claims = { sub, exp: Math.floor(Date.now() / 1000) + seconds, ...more };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;
}

/** Keep a session in the tab. */
export function signedIn(session: { readonly token: string; readonly refresh?: string }): void {
  sessionStorage.setItem("pitboss.session", JSON.stringify(session));
}

/** Return the names of what the tab keeps. */
export function keptNames(): string[] {
  return Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "").sort();
}
