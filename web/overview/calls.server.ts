import { listCallsForHelp } from '#shared/overview/endpoints.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'

/** Users waiting for help, with the names of their countries. */
export async function callsForHelp(context: Parameters<typeof visitorOf>[0]) {
  const nameOf = nameIn(visitorOf(context).language)
  const found = await api(context)(listCallsForHelp)
  return {
    ...found,
    floods: found.floods.map((burst) => ({ ...burst, place: burst.country_code && nameOf(burst.country_code) })),
    calls: found.calls.map((call) => ({ ...call, place: call.country_code && nameOf(call.country_code) })),
  }
}
