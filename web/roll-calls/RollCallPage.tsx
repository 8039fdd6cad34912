import { data, Link, useSearchParams } from 'react-router'
import { getRollCall, RecipientQuery } from '#shared/roll-calls/endpoints.ts'
import { tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { isId } from '#web/lib/ids.ts'
import { api, userOf, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { TableFoot } from '#web/ui/AdminTableFooter.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { Route } from './+types/RollCallPage'
import { AnswerShares } from './AnswerShares.tsx'
import { AnswerTiles } from './AnswerTiles.tsx'
import { CallActions } from './CallActions.tsx'
import { Groups } from './Groups.tsx'
import { HelpList } from './HelpList.tsx'
import { OtherRecipients } from './OtherRecipients.tsx'
import { ROLL_CALLS } from './paths.ts'
import styles from './RollCallPage.module.css'
import { useLive } from './useLive.ts'

export const handle = { ns: ['rollCalls', 'forms', 'charts'] } satisfies RouteHandle
export { actOnRollCall as action } from './actions.server.ts'

const DONE = ['start', 'take', 'helped', 'answer', 'remind', 'close'] as const

export async function loader({ context, request, params }: Route.LoaderArgs) {
  if (!isId(params.id)) throw data(null, { status: 404 })
  const { language } = visitorOf(context)
  const searchParams = new URL(request.url).searchParams
  const query = tableQuery(RecipientQuery, searchParams)
  const found = await api(context)(getRollCall, { params: { id: params.id }, query })
  const nameOf = nameIn(language)
  const placeOf = (code: string | null) => code && nameOf(code)
  return {
    ...found,
    title: found.roll_call.title,
    places: found.roll_call.country_codes.map((code) => nameOf(code)),
    people: found.people.map((recipient) => ({ ...recipient, place: placeOf(recipient.country_code) })),
    groups: found.groups.map((group) => ({ ...group, name: group.name ?? placeOf(group.key) })),
    me: userOf(context).id,
    part: query.part ?? null,
    /** The confirmation step of an action. */
    pendingAction: searchParams.get('action'),
  }
}

/** Who is safe, who needs help and who has not answered. Updates by itself. */
export default function RollCallPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('rollCalls')
  const [params] = useSearchParams()
  const { roll_call, counts, groups, people, places, me, part, pendingAction } = loaderData
  useLive(roll_call.id)
  const done = actionData ? undefined : DONE.find((intent) => intent === params.get('done'))
  const inNeed = people.filter(({ answer, helped_at }) => answer === 'need_help' && !helped_at)
  const unclear = people.filter((recipient) => recipient.unclear_at && !inNeed.includes(recipient))
  const others = people.filter((recipient) => !inNeed.includes(recipient) && !unclear.includes(recipient))
  return (
    <AdminPage title={<bdi>{roll_call.title}</bdi>} end={<Tag>{t(roll_call.ended_at ? 'closed' : 'open')}</Tag>}>
      <p className={styles.back}>
        <Link to={ROLL_CALLS}>{t('back')}</Link>
      </p>
      {done && <Done>{t(`done_${done}`)}</Done>}
      {actionData?.taken_by && <Done>{t('done_taken_by', { name: isolated(actionData.taken_by) })}</Done>}
      <About rollCall={roll_call} places={places} />
      <CallActions rollCall={roll_call} silent={counts.silent} pendingAction={pendingAction} actionData={actionData} />
      <AnswerShares counts={counts} />
      <AnswerTiles counts={counts} filter={part} />
      {(inNeed.length > 0 || part === 'help' || (!part && params.get('page') === null)) && (
        <div className={styles.panelGap}>
          <AdminPanel id="help" title={t('help_title')}>
            <HelpList recipients={inNeed} me={me} actionData={actionData} />
          </AdminPanel>
        </div>
      )}
      {unclear.length > 0 && (
        <div className={styles.panelGap}>
          <AdminPanel id="unclear" title={t('unclear_title')}>
            <p className={styles.note}>{t('unclear_text')}</p>
            <OtherRecipients recipients={unclear} isOpen={!roll_call.ended_at} actionData={actionData} />
          </AdminPanel>
        </div>
      )}
      {part !== 'help' && (
        <div className={styles.panelGap}>
          <AdminTableFilters
            searchLabel={t('search')}
            choices={[
              {
                name: 'group',
                label: t('groups'),
                options: (['chapter', 'country'] as const).map((value) => ({ value, label: t(`group_${value}`) })),
              },
            ]}
          />
          {groups.length > 0 && <Groups groups={groups} />}
          <AdminPanel id="recipients" title={t('recipients_title')}>
            <OtherRecipients recipients={others} isOpen={!roll_call.ended_at} actionData={actionData} />
            <div className={styles.foot}>
              <TableFoot {...loaderData} shown={people.length} csv={`/api/roll-calls/${roll_call.id}/people.csv`} />
            </div>
          </AdminPanel>
        </div>
      )}
    </AdminPage>
  )
}

function Done({ children }: { children: string }) {
  return (
    <div className={styles.done}>
      <Note kind="success" isLive title={children} />
    </div>
  )
}

type Data = Route.ComponentProps['loaderData']

function About({ rollCall, places }: { rollCall: Data['roll_call']; places: string[] }) {
  const t = useT('rollCalls')
  const { message, chapter_name, started_by_name, started_at, ended_at, advisory_id, advisory_title } = rollCall
  return (
    <div className={styles.about}>
      {message && <UserText>{message}</UserText>}
      <p className={styles.muted}>
        {places.length > 0 && <bdi>{places.join(t('comma'))} · </bdi>}
        {chapter_name && <>{t('of_chapter', { name: isolated(chapter_name) })} · </>}
        <Time value={started_at} />
        {started_by_name && <> · {t('started_by', { name: isolated(started_by_name) })}</>}
        {rollCall.reminders > 0 && <> · {t('reminded', { count: rollCall.reminders })}</>}
        {' · '}
        {t('escalates_after', { count: rollCall.escalate_after_minutes })}
        {ended_at && (
          <>
            {' · '}
            {t('closed_at')} <Time value={ended_at} />
          </>
        )}
      </p>
      {advisory_id && advisory_title && (
        <p className={styles.muted}>
          {t('from_advisory')}{' '}
          <Link to={`/travel-advisories/${advisory_id}`}>
            <bdi>{advisory_title}</bdi>
          </Link>
        </p>
      )}
    </div>
  )
}
