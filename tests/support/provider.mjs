// An OpenID Connect provider for tests: node-oidc-provider with its own pages for signing in. Settings come as JSON in
// the first argument; the line that it writes says that it listens. Whoever signs in is who they say, with any password.

import { createRequire } from "node:module";

const given = JSON.parse(process.argv[2]);
const { Provider } = await import(createRequire(given.packages + "/").resolve("oidc-provider"));

const people = new Map(Object.entries(given.people));
const claimsOf = (sub) => people.get(sub) ?? given.anybody;
const clients = given.clients.map((one) => ({
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  application_type: "native",
  id_token_signed_response_alg: given.algorithm,
  ...one,
}));
const hosts = new Set(clients.flatMap((one) => one.redirect_uris.map((uri) => new URL(uri).hostname)));

const provider = new Provider(given.issuer, {
  clients,
  jwks: given.jwks,
  cookies: { keys: ["only for tests"] },
  pkce: { required: () => true },
  scopes: ["openid", "offline_access"],
  claims: { openid: ["sub"] },
  clientBasedCORS: (_, origin) => hosts.has(new URL(origin).hostname),
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  extraTokenClaims: (_, token) => claimsOf(token.accountId),
  ttl: { AccessToken: given.seconds, RefreshToken: 3600, Session: 3600, Grant: 3600, IdToken: 300, Interaction: 3600 },
  features: {
    devInteractions: { enabled: true },
    revocation: { enabled: true },
    deviceFlow: { enabled: given.devices },
    rpInitiatedLogout: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => given.resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: "",
        audience: given.audience,
        accessTokenFormat: "jwt",
        accessTokenTTL: given.seconds,
        jwt: { sign: { alg: given.algorithm } },
      }),
    },
  },
});

const { port } = new URL(given.issuer);
provider.listen(Number(port), "127.0.0.1", () => { console.log("listening"); });
