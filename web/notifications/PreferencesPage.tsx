import { redirect } from 'react-router'
import { CHANNELS, DIGESTS, KINDS } from '#shared/delivery/kinds.ts'
import { changePreferences, getPreferences, retryAddress } from '#shared/notifications/preferences.ts'
import { failed, readForm } from '#web/accounts/profile/submitted-form.server.ts'
import { api, attempt } from '#web/lib/visitor.ts'
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

export async function action({ context, request }: Route.ActionArgs) {
  const { intent, text, values } = await readForm(request)
  if (intent === 'again') {
    const channel = text('channel') === 'email' ? 'email' : 'sms'
    const { error } = await attempt(context, (call) => call(retryAddress, { body: { channel } }))
    if (error) return failed(intent, error, { values })
    throw redirect(`${HERE}?done=again#addresses`)
  }
  const isOn = (name: string) => text(name) === 'on'
  const clock = (name: string) => text(name).slice(0, 5) || null
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
  const { error } = await attempt(context, (call) => call(changePreferences, { body }))
  if (error) return failed('preferences', error, { values })
  throw redirect(`${HERE}?done=saved`)
}

/** Which notifications to receive, by which channel and when, and whether they arrive. */
export default function PreferencesPage({ loaderData: { preferences, done }, actionData }: Route.ComponentProps) {
  const tried = (intent: string) => (actionData?.intent === intent ? actionData : undefined)
  return (
    <>
      <PreferencesForm
        preferences={preferences}
        tried={tried('preferences')}
        isDone={done === 'saved' && !actionData}
      />
      <AddressesSection preferences={preferences} tried={tried('again')} isDone={done === 'again' && !actionData} />
      <PushSection browsers={preferences.browsers} />
    </>
  )
}
