import { registerMessages } from './i18n.tsx'

const files = import.meta.glob<Record<string, string>>('../../public/locales/*/*.json', {
  eager: true,
  import: 'default',
})

for (const [path, messages] of Object.entries(files)) {
  const [language, namespace] = path.split('/').slice(-2) as [string, string]
  registerMessages(language, namespace.replace(/\.json$/, ''), messages)
}
