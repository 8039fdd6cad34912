import { Link } from 'react-router'
import type { CallForHelp, listCallsForHelp } from '#shared/overview/endpoints.ts'
import { CASES } from '#web/assistant/cases/paths.ts'
import { formatNumber, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { rollCallPath } from '#web/roll-calls/paths.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './CallsForHelp.module.css'

type Found = (typeof listCallsForHelp)['~']['output']
export type ShownCall = CallForHelp & { place: string | null }

type ShownBurst = Found['floods'][number] & { place: string | null }

interface Props {
  found: Omit<Found, 'calls' | 'floods'> & { calls: ShownCall[]; floods: ShownBurst[] }
  /** Id of the current user, who cannot take their own call. */
  me: string
}

/** Users waiting for help: first on the page of those who care for others. */
export function CallsForHelp({ found: { calls, total, unowned, floods }, me }: Props) {
  const t = useT('rollCalls')
  const language = useLanguage()
  if (calls.length === 0 && floods.length === 0) return null
  const rest = total - calls.length
  return (
    <div className={styles.panel}>
      {floods.map((burst) => (
        <BurstNote key={burst.country_code} burst={burst} />
      ))}
      {calls.length > 0 && (
        <AdminPanel
          id="calls-for-help"
          title={t('calls_title')}
          end={unowned > 0 && t('calls_unowned', { count: unowned })}
        >
          {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
          <ul className={styles.calls} role="list">
            {calls.map((call) => (
              <Call key={`${call.kind} ${call.id} ${call.user_id}`} call={call} me={me} />
            ))}
          </ul>
          {rest > 0 && (
            <p className={styles.rest}>
              {t('calls_rest', { shown: formatNumber(language, calls.length), total: formatNumber(language, total) })}
            </p>
          )}
        </AdminPanel>
      )}
    </div>
  )
}

function BurstNote({ burst: { country_code, place, since, count } }: { burst: ShownBurst }) {
  const t = useT('rollCalls')
  const language = useLanguage()
  return (
    <Note
      kind="error"
      heading="h2"
      title={place ? t('burst_in', { country: isolated(place) }) : t('burst')}
      action={
        <ButtonLink isSmall to={`${CASES}?status=open${country_code ? `&country=${country_code}` : ''}`}>
          {t('burst_open')}
        </ButtonLink>
      }
    >
      <p>
        {t('burst_text', { n: formatNumber(language, count) })} <Time value={since} look="relative" />
      </p>
    </Note>
  )
}

const pathOf = ({ kind, id, user_id }: CallForHelp) =>
  kind === 'case'
    ? `${CASES}/${id}`
    : `${rollCallPath(id)}?part=${kind === 'unclear' ? 'unclear' : 'help'}#p-${user_id}`

function Call({ call, me }: { call: ShownCall; me: string }) {
  const t = useT('rollCalls')
  const language = useLanguage()
  const { kind, name, about, place, words, since, owner_name, messages, last_at } = call
  const isUnowned = owner_name === null
  return (
    <li className={classes(isUnowned && kind !== 'unclear' && styles.unowned)}>
      <Icon name={isUnowned ? 'emergency' : 'hands'} />
      <div className={styles.what}>
        <Link to={pathOf(call)}>
          <strong>
            {messages === null
              ? t(`calls_${kind}`, { name: name ? isolated(name) : t('calls_visitor') })
              : t('calls_group', { count: messages, n: formatNumber(language, messages) })}
          </strong>
        </Link>
        <span className={styles.muted}>
          {kind === 'case' ? <bdi dir="ltr">{about}</bdi> : <bdi>{about}</bdi>}
          {place && (
            <>
              {' · '}
              <bdi>{place}</bdi>
            </>
          )}
        </span>
        {messages !== null && last_at && (
          <span className={styles.muted}>
            {t('calls_last')} <Time value={last_at} look="relative" />
          </span>
        )}
        {words && <span className={styles.words}>{t('calls_words', { words: isolated(words) })}</span>}
      </div>
      <div className={styles.owner}>
        <span className={isUnowned ? styles.bad : undefined}>
          <Time value={since} look="relative" />
        </span>
        <span className={styles.muted}>
          <Owner call={call} />
        </span>
      </div>
      <div className={styles.action}>
        {isUnowned && kind !== 'unclear' && call.user_id !== me ? (
          <Take call={call} />
        ) : (
          <ButtonLink to={pathOf(call)}>
            {t('calls_open')}
            <span className="visually-hidden">: {name ?? about}</span>
          </ButtonLink>
        )}
      </div>
    </li>
  )
}

function Owner({ call: { owner_name, asked_name, is_mine } }: { call: ShownCall }) {
  const t = useT('rollCalls')
  if (owner_name !== null) return is_mine ? t('calls_you') : <bdi>{owner_name || t('calls_taken')}</bdi>
  if (!asked_name) return t('calls_no_owner')
  return t('calls_requested', { name: is_mine ? t('calls_you') : isolated(asked_name) })
}

/** Posts to the page of the roll call or the case, which shows the result. */
function Take({ call: { kind, id, user_id, name, about } }: { call: ShownCall }) {
  const t = useT('rollCalls')
  return (
    <Form action={kind === 'case' ? `${CASES}/${id}` : rollCallPath(id)}>
      <input type="hidden" name="intent" value={kind === 'case' ? 'taken' : 'take'} />
      {user_id && kind !== 'case' && <input type="hidden" name="subject" value={user_id} />}
      <Submit>
        {t('calls_take')}
        <span className="visually-hidden">: {name ?? about}</span>
      </Submit>
    </Form>
  )
}
