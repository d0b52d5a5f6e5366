/** Loaded before a program (`node --import`): prints its peak memory at its end, in MiB. */
process.on("exit", () => {
  console.error(`peak_mib ${Math.round(process.resourceUsage().maxRSS / 1024)}`);
});
