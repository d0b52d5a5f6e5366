/** Loaded before a program (`node --import`): says at its end how much memory it held at most, in MiB. */
process.on("exit", () => {
  console.error(`peak_mib ${Math.round(process.resourceUsage().maxRSS / 1024)}`);
});
