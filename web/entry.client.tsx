import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { languageOf } from '#shared/language.ts'
import { load, type Namespace } from '#web/lib/i18n.tsx'
import { removeLeftovers } from '#web/lib/leftovers.ts'
import { sessionRenewal } from '#web/lib/session-renewal.ts'

const { lang, dataset } = document.documentElement
const language = languageOf(lang) ?? 'en'
const namespaces = (dataset.namespaces ?? 'common').split(' ') as Namespace[]

await Promise.all(namespaces.map((namespace) => load(language, namespace)))
sessionRenewal.renew = async () => (await import('#web/accounts/unauthorized.ts')).recoverFromRefusal()
startTransition(() => {
  hydrateRoot(document, <HydratedRouter />)
})

// Not urgent, and a device that forbids storage has nothing to remove.
setTimeout(() => removeLeftovers().catch(() => {}), 2_000)
