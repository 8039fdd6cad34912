import { GENERAL_NUMBER } from '#shared/emergency/address.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/EmergencyPage'
import { Calls } from './Calls.tsx'
import { AskCountry, PopularNumbers } from './ChooseCountry.tsx'
import styles from './Emergency.module.css'
import { EmergencyFrame } from './EmergencyFrame.tsx'
import { MoreLinks, MoreNumbers, OfflineAccessNote, Origin } from './Foot.tsx'
import { NotSafe } from './NotSafe.tsx'
import { popularNumbers } from './numbers.server.ts'
import { emergencyPage, reportDanger } from './page.server.ts'
import { Situations } from './Situations.tsx'

// No scripts, so that it is small enough for a bad network and can be cached whole on the device.
export const handle = { ns: ['emergency', 'forms'], plain: true } satisfies RouteHandle

// Whether the ministry's line is open depends on the time.
export const headers = () => ({ 'valid-for': '60' })

export async function loader({ context, request, params }: Route.LoaderArgs) {
  const page = await emergencyPage(context, request, (params as { country?: string }).country)
  const popular = page.data.emergency.country ? null : await popularNumbers(context)
  return { ...page, data: { ...page.data, popular } }
}

export const action = ({ context, request, params }: Route.ActionArgs) =>
  reportDanger(context, request, (params as { country?: string }).country)

/** Whom to call and what to do now, in one country; without a country the general number and the country search. */
export default function EmergencyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { emergency, name, popular, unknownCode, isSignedIn } = loaderData
  const { country } = emergency
  const number = emergency.first?.phone ?? GENERAL_NUMBER
  const notSafe = <NotSafe country={country} isSignedIn={isSignedIn} number={number} reported={actionData} />
  return (
    <EmergencyFrame country={country} name={name} detectsZone={!country && unknownCode === null}>
      <div className={styles.first}>
        <Calls data={loaderData} />
        {country ? notSafe : <AskCountry unknownCode={unknownCode} />}
      </div>
      {name && <Origin origin={loaderData.origin} name={name} />}
      {!country && notSafe}
      {popular && <PopularNumbers {...popular} />}
      <Situations situations={emergency.situations} />
      {name && <MoreNumbers numbers={emergency.more} name={name} />}
      <OfflineAccessNote situations={emergency.situations} />
      {country && name && <MoreLinks country={country} name={name} />}
    </EmergencyFrame>
  )
}
