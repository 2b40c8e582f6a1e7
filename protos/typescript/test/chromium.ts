// Unpacks the browser of the tests once, in a process of its own: a program that is still being written cannot be run.

import chromium from "@sparticuz/chromium";

process.stdout.write(`${await chromium.executablePath()}\n`);
