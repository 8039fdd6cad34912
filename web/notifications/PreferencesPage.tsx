import { CHANNELS, DIGESTS, KINDS } from '#shared/delivery/kinds.ts'
import { changePreferences, getPreferences, retryAddress } from '#shared/notifications/preferences.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { resultOf } from '#web/lib/form-result.ts'
import { api } from '#web/lib/visitor.ts'
import type { Route } from './+types/PreferencesPage'
import { AddressesSection } from './AddressesSection.tsx'
import { choiceName } from './choice-name.ts'
import { PreferencesForm } from './PreferencesForm.tsx'
import { PushSection } from './PushSection.tsx'

const HERE = '/notifications/preferences'

export async function loader({ context, request }: Route.LoaderArgs) {
  const done = new URL(request.url).searchParams.get('done')
  return { preferences: await api(context)(getPreferences), done }
}

export const action = formAction({
  again: async (call, { text, flash }) => {
    await call(retryAddress, { body: { channel: text('channel') === 'email' ? 'email' : 'sms' } })
    return flash(`${HERE}#addresses`, 'again')
  },
  preferences: async (call, { text, flash }) => {
    const isOn = (name: string) => text(name) === 'on'
    const clock = (name: string) => text(name).trim().slice(0, 5) || null
    const body = {
      // Only opt-outs are stored: a channel added later is on until the user opts out.
      channels: Object.fromEntries(
        KINDS.flatMap((kind) => {
          const off = CHANNELS.filter((channel) => !isOn(choiceName(kind, channel)))
          return off.length > 0 ? [[kind, Object.fromEntries(off.map((channel) => [channel, false]))]] : []
        }),
      ),
      sms_opt_out: isOn('sms_opt_out'),
      quiet_from: clock('quiet_from'),
      quiet_until: clock('quiet_until'),
      digest: DIGESTS.find((name) => name === text('digest')) ?? 'at_once',
      urgent_bypass: isOn('urgent_bypass'),
    }
    await call(changePreferences, { body })
    return flash(HERE, 'saved')
  },
})

/** Which notifications to receive, by which channel and when, and whether they arrive. */
export default function PreferencesPage({ loaderData: { preferences, done }, actionData }: Route.ComponentProps) {
  return (
    <>
      <PreferencesForm
        preferences={preferences}
        tried={resultOf(actionData, 'preferences')}
        isDone={done === 'saved' && !actionData}
      />
      <AddressesSection
        preferences={preferences}
        tried={resultOf(actionData, 'again')}
        isDone={done === 'again' && !actionData}
      />
      <PushSection browsers={preferences.browsers} />
    </>
  )
}
