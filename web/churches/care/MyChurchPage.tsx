import { data, useSearchParams } from 'react-router'
import { readMyChurch } from '#shared/churches/care.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/MyChurchPage'
import styles from './Care.module.css'
import { ClosureForm } from './ClosureForm.tsx'
import { Corrections } from './Corrections.tsx'
import { Freshness } from './Freshness.tsx'
import { Messages } from './Messages.tsx'
import { ServicesForm } from './ServicesForm.tsx'

export const handle = { ns: ['care', 'forms'] } satisfies RouteHandle
export { actOnCare as action } from './actions.server.ts'

const SUNDAY = Date.UTC(2026, 10, 22)
const DONE = ['confirm', 'ask', 'ask_nobody', 'close', 'reopen', 'services', 'apply', 'decline', 'answered'] as const

export async function loader({ context, params }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const found = await api(context)(readMyChurch, { params: { id: params.id } })
  const { city, country_code } = found.locale
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return data({
    ...found,
    title: found.locale.name,
    place: [city, country_code && nameIn(language)(country_code)].filter(Boolean).join(language === 'ar' ? '، ' : ', '),
    days: Array.from({ length: 7 }, (_, day) => weekday.format(SUNDAY + day * 86_400_000)),
    today: now.toISOString().slice(0, 10),
  })
}

/** One church: confirm it, close it temporarily, edit its services, and answer messages. */
export default function MyChurchPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('care')
  const [params] = useSearchParams()
  const { locale, corrections, messages, place, days, today } = loaderData
  const submission = actionData
  const done = submission ? undefined : DONE.find((intent) => intent === params.get('done'))
  const isShown = locale.freshness !== 'unpublished'
  return (
    <AdminPage
      title={<bdi>{locale.name}</bdi>}
      end={isShown && <ButtonLink to={`/church-locator/${locale.id}`}>{t('public_page')}</ButtonLink>}
    >
      <div className={styles.stack}>
        {done && <Note kind={done === 'ask_nobody' ? 'unknown' : 'success'} isLive title={t(`done_${done}`)} />}
        <div className={styles.top}>
          <div>
            <p>
              <bdi>{[locale.address, place].filter(Boolean).join(' · ')}</bdi>
            </p>
            <Freshness locale={locale} />
            {locale.discreet_mode !== 'exact' && (
              <p className={styles.muted}>{t(`discreet_${locale.discreet_mode}`)}</p>
            )}
          </div>
          <div className={styles.actions}>
            <Form error={submission?.intent === 'confirm' ? submission.error : undefined} preventScrollReset>
              <input type="hidden" name="intent" value="confirm" />
              <input type="hidden" name="subject" value={locale.id} />
              <Submit className={styles.full}>{t('confirm_now')}</Submit>
            </Form>
            <p className={styles.muted}>{t('confirm_hint')}</p>
            {isShown && (
              <Form error={submission?.intent === 'ask' ? submission.error : undefined} preventScrollReset>
                <input type="hidden" name="intent" value="ask" />
                <input type="hidden" name="subject" value={locale.id} />
                <Submit look="secondary" className={styles.full}>
                  {t('ask_servants')}
                </Submit>
              </Form>
            )}
          </div>
        </div>
        <AdminPanel id="messages" title={t('messages')} end={messages.length || undefined}>
          <div className={styles.panel}>
            <Messages messages={messages} actionData={submission?.intent === 'answered' ? submission : undefined} />
          </div>
        </AdminPanel>
        <AdminPanel id="corrections" title={t('corrections')} end={corrections.length || undefined}>
          <div className={styles.panel}>
            <Corrections corrections={corrections} actionData={submission} />
          </div>
        </AdminPanel>
        <AdminPanel id="services" title={t('services')}>
          <div className={styles.panel}>
            <ServicesForm
              // Remounted after saving, to show the stored values.
              key={locale.version}
              locale={locale}
              days={days}
              actionData={submission?.intent === 'services' ? submission : undefined}
            />
          </div>
        </AdminPanel>
        <AdminPanel id="closure" title={t('closure')}>
          <div className={styles.panel}>
            <ClosureForm key={locale.version} locale={locale} today={today} actionData={submission} />
          </div>
        </AdminPanel>
      </div>
    </AdminPage>
  )
}
