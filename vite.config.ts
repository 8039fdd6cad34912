import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

// The lint rule catches this earlier; the build refuses it for good, because an imported server file builds with only a warning.
const noServerCodeInPages: Plugin = {
  name: 'no-server-code-in-pages',
  enforce: 'pre',
  resolveId(id, importer) {
    if (
      importer?.includes('/web/') &&
      (id.startsWith('#server/') || /(^|\/)server\//.test(id.replace(/\/node_modules\/.*/, '')))
    )
      throw new Error(`${importer} imports ${id}: web/ imports nothing of server/`)
  },
}

export default defineConfig(({ command }) => ({
  plugins: [...(command === 'build' ? [noServerCodeInPages] : []), reactRouter()],
  publicDir: false,
  build: { cssTarget: 'chrome123', assetsInlineLimit: 0 },
}))
