import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

// The lint rule catches this earlier; the build rejects it as well, because an imported server file builds with only a
// warning.
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

// A few chunks instead of fifty small ones: each is a separate round trip on a slow network.
const CHUNKS = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]/ },
  {
    // Shared by the public pages; modules of the other areas stay out of it, however many of their pages use them.
    name: 'shell',
    test: /[\\/](web|shared)[\\/](?!(accounts|assistant|audit|churches|compose|delivery|imports|notifications|overview|pdos|roll-calls|settings|status)[\\/]|(contract|common-schemas|coordinates|text)\.ts|advisories[\\/](admin|Detail|VersionHistory|markup|detail)|layouts[\\/](Admin|Account|Dashboard|admin)|table\.ts|page-access\.ts|pages[\\/](pages|signed-in)|page-query\.ts|advisories[\\/]filters|ui[\\/](Admin|Breadcrumbs|Buttons|CheckField|CountryField|CountryOptions|DeleteConfirmation|DetailDrawer|Field|FlashMessage|Fold|Form|LanguageOptions|StaleNotice|Tabs|UserText|table)|lib[\\/](realtime|channel|pacer|cache|functions|transport|server-messages|crumbs))/,
    minShareCount: 5,
  },
]

export default defineConfig(({ command }) => ({
  plugins: [...(command === 'build' ? [noServerCodeInPages] : []), reactRouter()],
  publicDir: false,
  build: { cssTarget: 'chrome123', assetsInlineLimit: 0 },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
  },
}))
