// Lets Node run the page's own modules as they stand: they name each other by what a bundler makes of them.

import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const isOwn = specifier.startsWith(".") && context.parentURL?.includes("/page/src/") === true;
    return next(isOwn ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
