// Preloaded into a measured process: says at its end how much memory it needed at most.
process.on('exit', () => process.stderr.write(`rss-kb ${process.resourceUsage().maxRSS}\n`));
