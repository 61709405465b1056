// Three files with fixed names: they are checked in, built into the binary, and compared with a new build by the tests.
export default {
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    target: "es2022",
    rolldownOptions: {
      output: { entryFileNames: "studio.js", assetFileNames: "studio[extname]", codeSplitting: false },
    },
  },
};
