import { present } from '#shared/assert.ts'
import type { OwnRollCall } from '#shared/roll-calls/endpoints.ts'
import { CallStrip } from '#web/emergency/CallStrip.tsx'
import type { FirstCall } from '#web/emergency/place.server.ts'
import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Answer.module.css'
import { AnswerForm, MoreForm } from './AnswerForm.tsx'

interface Props {
  rollCall: OwnRollCall
  error?: FormError | undefined
  /** The rejected form was the one with the note. */
  isMore?: boolean | undefined
  chosen?: string | null
  /** For the country of the roll call. */
  call: FirstCall | null
}

/** Question, answer, helper, and whom to call: the same by link and in the portal. */
export function OwnAnswer({ rollCall, error, isMore, chosen, call }: Props) {
  const t = useT('rollCallAnswer')
  const { answer, is_open, helped_at } = rollCall
  const needsHelp = answer === 'need_help' && !helped_at
  return (
    <div className={styles.stack}>
      <h1 className={styles.title}>
        <span className={styles.asked}>{t('asked')}</span>
        <bdi>{rollCall.title}</bdi>
      </h1>
      {rollCall.message && (
        <p className={styles.message} dir="auto">
          {rollCall.message}
        </p>
      )}
      {answer === 'need_help' && <Help rollCall={rollCall} />}
      {answer && answer !== 'need_help' && (
        <Note kind="success" title={t('answer_label', { answer: t(answer) })}>
          {is_open && (
            <p>
              <Timed
                text={t('answered_at', { time: '\n' })}
                at={present(rollCall.answered_at, 'the time of the answer')}
              />
            </p>
          )}
        </Note>
      )}
      {needsHelp && is_open && <MoreForm rollCall={rollCall} error={isMore ? error : undefined} />}
      {is_open ? (
        <section aria-labelledby={answer ? 'change' : undefined} className={styles.stack}>
          {answer && <h2 id="change">{t('change')}</h2>}
          {!answer && chosen && <p className={styles.once}>{t('tap_once')}</p>}
          <AnswerForm
            rollCall={rollCall}
            error={isMore ? undefined : error}
            chosen={answer ? null : (chosen ?? null)}
          />
        </section>
      ) : (
        <Note kind="unknown" title={t('over_title')}>
          <p>{t('over_text')}</p>
        </Note>
      )}
      <Whom rollCall={rollCall} call={call} />
    </div>
  )
}

/** Who was notified, who is helping, or that it is over. */
function Help({ rollCall: { helper, helped_at } }: { rollCall: OwnRollCall }) {
  const t = useT('rollCallAnswer')
  if (helped_at)
    return (
      <Note kind="success" title={t('helped_title')}>
        <p>
          <Timed text={t('helped_text', { time: '\n' })} at={helped_at} />
        </p>
      </Note>
    )
  if (!helper)
    return (
      <Note kind="error" title={t('nobody_title')} isLive>
        <p>{t('nobody_text')}</p>
      </Note>
    )
  const isTaken = helper.taken_at !== null
  return (
    <Note
      kind={isTaken ? 'success' : 'plain'}
      isLive
      icon={isTaken ? 'hands' : 'clock'}
      title={t(isTaken ? 'taken_title' : 'help_requested_title', { name: isolated(helper.name) })}
      action={
        isTaken ? undefined : (
          <ButtonLink to="" icon="refresh" reloadDocument>
            {t('reload')}
          </ButtonLink>
        )
      }
    >
      <p>
        <Timed
          text={t(isTaken ? 'taken_text' : 'help_requested_text', { time: '\n' })}
          at={helper.taken_at ?? helper.since}
        />
      </p>
    </Note>
  )
}

function Timed({ text, at }: { text: string; at: string }) {
  const [before, after] = text.split('\n')
  return (
    <>
      {before}
      <Time value={at} />
      {after}
    </>
  )
}

/** Whom to call at once: the local emergency number first, then the chapter. */
function Whom({ rollCall: { chapter, country_code }, call }: Pick<Props, 'rollCall' | 'call'>) {
  const t = useT('rollCallAnswer')
  return (
    <section className={styles.whom} aria-labelledby="whom">
      <p className={styles.danger}>
        <Icon name="emergency" /> {t('danger')}
      </p>
      <CallStrip call={call} country={country_code} />
      <h2 id="whom">{t('chapter_title')}</h2>
      {chapter?.phone ? (
        <p>
          <bdi>{chapter.name}</bdi>
          {chapter.contact && (
            <>
              {' · '}
              <bdi>{chapter.contact}</bdi>
            </>
          )}
          <a className={styles.call} href={`tel:${chapter.phone.replace(/[^+\d]/g, '')}`}>
            <Icon name="phone" /> <bdi dir="ltr">{chapter.phone}</bdi>
          </a>
        </p>
      ) : (
        <p className={styles.muted}>{t('chapter_none')}</p>
      )}
    </section>
  )
}
