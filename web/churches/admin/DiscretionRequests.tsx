import type { DiscretionRequest } from '#shared/churches/managed-discretion.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Admin.module.css'

interface Props {
  requests: readonly (DiscretionRequest & { country: string })[]
  error: (FormError & { request: string }) | undefined
}

/** Changes that would reveal more, waiting for a second administrator. */
export function DiscretionRequests({ requests, error }: Props) {
  const t = useT('manageChurches')
  const language = useLanguage()
  if (requests.length === 0) return null
  return (
    <AdminPanel id="requests" title={t('requests_title')} end={formatNumber(language, requests.length)}>
      <ul className={styles.rows}>
        {requests.map((request) => (
          <li key={request.id}>
            <div>
              <b>
                <bdi>{request.locale_name ?? request.country}</bdi>
              </b>{' '}
              {request.discreet_mode
                ? t('request_to', { mode: t(`mode_${request.discreet_mode}`) })
                : t(request.locale_id ? 'mode_as_country' : 'request_to_all')}
              <p className={styles.muted}>
                {t('request_counts', { count: request.locales, n: formatNumber(language, request.locales) })}
                {!request.needs_second && request.discreet_mode && ` ${t('more_second_off')}`}
              </p>
              <p>
                <bdi>{request.reason}</bdi>
              </p>
              <p className={styles.muted}>
                <bdi>{request.requested_by}</bdi>
                {t('comma')}
                <Time value={request.requested_at} look="relative" />. {t('request_until')}{' '}
                <Time value={request.expires_at} look="day" />
              </p>
            </div>
            <Form error={error?.request === request.id ? error : undefined}>
              <input type="hidden" name="request" value={request.id} />
              <Buttons>
                {request.is_own ? (
                  <>
                    <span className={styles.muted}>{t('request_own')}</span>
                    <Button type="submit" look="link" name="intent" value="withdraw">
                      {t('request_withdraw')}
                    </Button>
                  </>
                ) : (
                  <>
                    <Button type="submit" look="danger" name="intent" value="approve">
                      {t('request_approve', { count: request.locales, n: formatNumber(language, request.locales) })}
                    </Button>
                    <Button type="submit" name="intent" value="decline">
                      {t('request_decline')}
                    </Button>
                  </>
                )}
              </Buttons>
            </Form>
          </li>
        ))}
      </ul>
    </AdminPanel>
  )
}
