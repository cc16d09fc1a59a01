import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// Nothing that differs from build to build goes into the page: no dates, no paths, no revisions.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: { target: "es2022", modulePreload: false, outDir: "dist", emptyOutDir: true },
});
