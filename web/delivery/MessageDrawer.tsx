import { Form, Link, useSearchParams } from 'react-router'
import type { OutboxMessage } from '#shared/delivery/endpoints.ts'
import { directionOf } from '#shared/language.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { DetailDrawer, Fact, Facts } from '#web/ui/DetailDrawer.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import { MailFrame } from './MailFrame.tsx'
import { StatusLabel, Subject } from './MessageList.tsx'
import styles from './Outbox.module.css'
import { PlainText } from './PlainText.tsx'

interface Props {
  /** Null: no message has this id. */
  message: OutboxMessage | null
  /** Ids of the list's rows, in order. */
  neighbours: string[]
  canRetry?: boolean
  problem?: string | undefined
  isRetried?: boolean
}

/** One message over the list: its delivery result and content. */
export function MessageDrawer({ message, neighbours, canRetry, problem, isRetried }: Props) {
  const t = useT('outbox')
  const tForms = useT('forms')
  const [params] = useSearchParams()
  const page = params.get('page')
  const to = (id: string | undefined | null) => addressWith(params, { message: id, done: null, page })
  if (!message)
    return (
      <DetailDrawer title={t('not_found')} closeTo={to(null)}>
        <Note title={t('not_found')} />
      </DetailDrawer>
    )
  const at = neighbours.indexOf(message.id)
  const isOffered = canRetry && message.status === 'failed'
  return (
    <DetailDrawer
      title={<Subject message={message} />}
      subtitle={<bdi dir="ltr">{message.recipient}</bdi>}
      closeTo={to(null)}
      previousTo={at > 0 ? to(neighbours[at - 1]) : undefined}
      nextTo={at >= 0 && at < neighbours.length - 1 ? to(neighbours[at + 1]) : undefined}
      foot={
        isOffered && (
          <Form method="post" preventScrollReset>
            <Button type="submit" look="primary" icon="refresh">
              {t('retry')}
            </Button>
          </Form>
        )
      }
    >
      {problem && <Note kind="error" isLive title={translateMessage(tForms, problem)} />}
      {isRetried && message.status !== 'failed' && <Note kind="success" isLive title={t('retried')} />}
      <MessageFacts message={message} canRetry={canRetry} />
      <Tries tries={message.tries} />
      <Body message={message} />
    </DetailDrawer>
  )
}

function MessageFacts({ message, canRetry }: Pick<Props, 'canRetry'> & { message: OutboxMessage }) {
  const t = useT('outbox')
  const language = useLanguage()
  const { channel, status, attempts, error, receipt } = message
  return (
    <Facts>
      <Fact label={t('status')}>
        <StatusLabel status={status} />
      </Fact>
      <Fact label={t('channel')}>{t(`channel_${channel}`)}</Fact>
      <Fact label={t('language')}>{t(`language_${message.language}`)}</Fact>
      <Fact label={t('created')}>
        <Time value={message.created_at} />
      </Fact>
      {message.provider && (
        <Fact label={t('provider')}>
          <bdi dir="ltr">{message.provider}</bdi>
        </Fact>
      )}
      {message.sent_at && (
        <Fact label={t('sent')}>
          <Time value={message.sent_at} />
        </Fact>
      )}
      {message.delivered_at && (
        <Fact label={t('delivered')}>
          <Time value={message.delivered_at} />
        </Fact>
      )}
      {status === 'pending' && attempts > 0 && (
        <Fact label={t('next_try')}>
          <Time value={message.not_before} />
        </Fact>
      )}
      <Fact label={t('attempts')}>{formatNumber(language, attempts)}</Fact>
      {error && (
        <Fact label={t('error')}>
          <bdi className={styles.error}>{error}</bdi>
        </Fact>
      )}
      {receipt && (
        <Fact label={t('provider_message_id')}>
          <bdi dir="ltr" className={styles.event}>
            {receipt}
          </bdi>
        </Fact>
      )}
      <Fact label={t('kind')}>
        <bdi dir="ltr">{message.template}</bdi>
      </Fact>
      {canRetry && message.announcement_id && (
        <Fact label={t('announcement')}>
          <Link to={`/admin/notifications/${message.announcement_id}`}>{t('announcement_open')}</Link>
        </Fact>
      )}
    </Facts>
  )
}

/** Delivery attempts; the last one is already among the facts. */
function Tries({ tries }: Pick<OutboxMessage, 'tries'>) {
  const t = useT('outbox')
  if (tries.length === 0) return null
  return (
    <>
      <h3 className={styles.part}>{t('tries')}</h3>
      <ol className={styles.tries}>
        {tries.map(({ at, provider, outcome, detail }) => (
          <li key={`${at} ${outcome} ${detail}`}>
            <Time value={at} />: {t(`result_${outcome}`)}
            {provider && (
              <>
                {' '}
                (<bdi dir="ltr">{provider}</bdi>)
              </>
            )}
            {detail && (
              <>
                {' '}
                <bdi className={outcome === 'failed' ? styles.error : styles.event}>{detail}</bdi>
              </>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

function Body({ message }: { message: OutboxMessage }) {
  const t = useT('outbox')
  const { body_text, body_html, is_secret, status, announcement_id } = message
  if (body_text === null)
    return (
      <Note title={t('no_body')}>
        {t(announcement_id ? 'no_body_words' : is_secret && status !== 'sent' ? 'no_body_secret' : 'no_body_wiped')}
      </Note>
    )
  return (
    <>
      <h3 className={styles.part}>{t('as_text')}</h3>
      <div className={styles.text} lang={message.language} dir={directionOf(message.language)}>
        <PlainText text={body_text} />
      </div>
      {body_html && (
        <>
          <h3 className={styles.part}>{t('as_html')}</h3>
          <MailFrame html={body_html} title={t('as_html')} />
        </>
      )}
    </>
  )
}
