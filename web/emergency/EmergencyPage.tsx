import { GENERAL_NUMBER } from '#shared/emergency/endpoints.ts'
import type { RouteHandle } from '../root.tsx'
import type { Route } from './+types/EmergencyPage'
import { Calls } from './Calls.tsx'
import { ChooseCountry } from './ChooseCountry.tsx'
import styles from './Emergency.module.css'
import { EmergencyFrame } from './EmergencyFrame.tsx'
import { KeptNote, MoreLinks, MoreNumbers, Origin } from './Foot.tsx'
import { NotSafe } from './NotSafe.tsx'
import { popularNumbers } from './numbers.server.ts'
import { emergencyPage, reportDanger } from './page.server.ts'
import { Situations } from './Situations.tsx'

// No scripts, so that it is small enough for a bad network and can be kept whole on the device.
export const handle = { ns: ['emergency', 'forms'], plain: true } satisfies RouteHandle

// Whether the ministry's line is open changes with the clock.
export const headers = () => ({ 'valid-for': '60' })

export async function loader({ context, request, params }: Route.LoaderArgs) {
  const page = await emergencyPage(context, request, (params as { country?: string }).country)
  const popular = page.data.emergency.country ? null : await popularNumbers(context)
  return { ...page, data: { ...page.data, popular } }
}

export const action = ({ context, request, params }: Route.ActionArgs) =>
  reportDanger(context, request, (params as { country?: string }).country)

/** Whom to call and what to do now, in one country; without a country the general number and the question. */
export default function EmergencyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { emergency, name, popular, unknownCode } = loaderData
  return (
    <EmergencyFrame country={emergency.country} name={name} asksZone={!emergency.country && unknownCode === null}>
      <div className={styles.first}>
        <Calls data={loaderData} />
        <NotSafe
          country={emergency.country}
          isSignedIn={loaderData.isSignedIn}
          number={emergency.local[0]?.phone ?? GENERAL_NUMBER}
          reported={actionData}
        />
      </div>
      {name ? (
        <Origin origin={loaderData.origin} name={name} />
      ) : (
        <ChooseCountry popular={popular!} unknownCode={unknownCode} />
      )}
      <Situations situations={emergency.situations} />
      {name && <MoreNumbers numbers={emergency.more} name={name} />}
      <KeptNote situations={emergency.situations} />
      {emergency.country && <MoreLinks country={emergency.country} name={name!} />}
    </EmergencyFrame>
  )
}
