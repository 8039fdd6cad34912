import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { classes } from '#web/ui/classes.ts'
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './ErrorScreen.module.css'
import { describe, type ErrorDetails } from './error-details.ts'
import { reportAddress } from './report.ts'
import { usePageRetry } from './usePageRetry.ts'

// Lazy: rarely needed, and it imports the country search. The error screen itself must never depend on a chunk.
const NotFound = lazy(async () => ({ default: (await import('./NotFound.tsx')).NotFound }))

interface Props {
  level: 'page' | 'component'
  error: unknown
  /** Rendered inside a layout that already has header and main. */
  isFramed?: boolean
  /** Set if the error was reported to the team under this id. */
  reportedId?: string
  /** Component of the error, for the report. */
  component?: string
  retry?: () => void
  isRetrying?: boolean
}

/** Replaces a page or section that failed (ERROR-UI). A missing page is not an error. */
export function ErrorScreen(props: Props) {
  const t = useT('common')
  const isMissing = isRouteErrorResponse(props.error) && props.error.status === 404
  const errorScreen = <Screen {...props} />
  const screen = (
    <Suspense fallback={t('loading')}>
      {isMissing ? (
        <ErrorBoundary fallback={() => errorScreen}>
          <NotFound />
        </ErrorBoundary>
      ) : (
        errorScreen
      )}
    </Suspense>
  )
  if (props.level === 'component') return screen
  const page = <Page>{screen}</Page>
  return props.isFramed ? page : <main id="main">{page}</main>
}

function Screen({ level, error, isFramed, reportedId, component = level, retry, isRetrying }: Props) {
  const t = useT('content')
  const [details] = useState(() => describe(error, reportedId))
  const { revalidate, state } = useRevalidator()
  const { pathname, search } = useLocation()
  const isPage = level === 'page'
  const isRetryComing = usePageRetry(error, isPage)
  const Title = isPage ? 'h1' : 'h3'
  return (
    <Surface className={classes(styles.screen, isPage && styles.page)} role={isPage ? undefined : 'alert'}>
      {isPage && !isFramed && <p className={styles.least}>{t('error_router')}</p>}
      <Title>{t(isPage ? 'error_page_title' : 'error_component_title')}</Title>
      <Message error={details} />
      <p role="status" className={styles.coming}>
        {isRetryComing && t('error_retry_coming')}
      </p>
      {isPage && details.severity === 'error' && !details.text && <p>{t('error_saved_nothing')}</p>}
      {isPage && <p>{t('error_danger')}</p>}
      <div className={styles.actions}>
        <Button
          look="primary"
          className="needs-script"
          isBusy={isRetrying ?? state === 'loading'}
          busyLabel={t('retrying')}
          onClick={retry ?? (() => void revalidate())}
        >
          {t('try_again')}
        </Button>
        {isPage && (
          <ButtonLink to="/" reloadDocument>
            {t('go_home')}
          </ButtonLink>
        )}
        <ButtonLink to={pathname + search} reloadDocument>
          {t('refresh_page')}
        </ButtonLink>
      </div>
      <Identity error={details} component={component} path={pathname + search} />
      {import.meta.env.DEV && <Details error={details} />}
    </Surface>
  )
}

function Message({ error: { severity, message, text } }: { error: ErrorDetails }) {
  const t = useT('content')
  return (
    <p className={styles.message} data-severity={severity}>
      <Icon name={severity === 'error' ? 'critical' : severity} />
      {text ? <bdi lang="en">{text}</bdi> : <span>{t(message)}</span>}
    </p>
  )
}

const neverChanges = () => () => {}

/**
 * Id, time and report: an id made on the server would differ from the one made here, so it is rendered in the browser
 * only.
 */
function Identity({ error, component, path }: { error: ErrorDetails; component: string; path: string }) {
  const t = useT('content')
  const site = useSite()
  const isKnown = useSyncExternalStore(
    neverChanges,
    () => true,
    () => error.isNamed,
  )
  if (!isKnown) return null
  return (
    <>
      <p className={styles.identity}>
        <span>{t('error_id')}</span>
        <Tag>
          <bdi dir="ltr">{error.id}</bdi>
        </Tag>
        <Time value={error.at} />
        {site?.support_email && (
          <ButtonLink look="link" to={reportAddress(t, { site, error, component, path })}>
            {t('report_issue')}
          </ButtonLink>
        )}
      </p>
      {!site?.support_email && <p className={styles.least}>{t('report_no_address')}</p>}
    </>
  )
}

/** In development only. */
function Details({ error }: { error: ErrorDetails }) {
  const t = useT('content')
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t(isOpen ? 'hide_details' : 'show_details')}</summary>
      <pre dir="ltr">{error.stack || error.name}</pre>
    </details>
  )
}
