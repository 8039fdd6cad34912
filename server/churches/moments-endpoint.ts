import type { Router } from '#server/http/router.ts'
import { localeServices } from '#shared/churches/endpoints.ts'
import type { ChurchModel } from './model.ts'
import { momentsOf } from './services.ts'

const DAY_MS = 86_400_000

/** The next services. Computed from memory and never cached: the result changes every minute. */
export function registerNextServices(router: Router, { model }: { model: Pick<ChurchModel, 'find'> }) {
  router.act(localeServices, async ({ now }, { query: { ids, days } }) => {
    const to = new Date(now.valueOf() + days * DAY_MS)
    const locales = await Promise.all([...new Set(ids)].map(async (id) => ({ id, locale: await model.find(id) })))
    const services = locales.flatMap(({ id, locale }) =>
      locale ? [[id, momentsOf({ ...locale, schedules: locale.service_schedules }, now, to)] as const] : [],
    )
    return { services: Object.fromEntries(services) }
  })
}
