// What the page's own process tells it, and what this browser remembers.

export interface Oidc {
  readonly issuer: string;
  readonly client: string;
  readonly scope: string;
  readonly resource: string;
  /** Origins besides the issuer's that the page may call. */
  readonly origins: readonly string[];
}

export interface Settings {
  readonly gateway: string;
  readonly guests: boolean;
  readonly oidc?: Oidc;
}

/** Ask the process that serves the page where the house is. */
export async function settings(): Promise<Settings> {
  const answer = await fetch("/settings.json");
  if (!answer.ok) throw new Error(`the page's settings were answered with ${answer.status}`);
  return (await answer.json()) as Settings;
}

/** Return what this browser remembers under a name; undefined where storage is not allowed. */
export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(`pitboss.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Have this browser remember a text. */
export function remember(name: string, text: string): void {
  try {
    localStorage.setItem(`pitboss.${name}`, text);
  } catch {
    // Storage is not allowed: the choice lasts as long as the page.
  }
}
