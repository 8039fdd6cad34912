import { type ReactNode, use, useSyncExternalStore } from 'react'
import {
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from 'react-router'
import { directionOf, type Language } from '#shared/language.ts'
import { getSite } from '#shared/settings/endpoints.ts'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import { PageLoading } from '#web/layouts/PageLoading.tsx'
import { UnsavedGuard } from '#web/layouts/UnsavedGuard.tsx'
import { DocumentContext } from '#web/lib/document.ts'
import { guard } from '#web/lib/guard.ts'
import { LanguageProvider, type Namespace } from '#web/lib/i18n.tsx'
import { PAGE_SCRIPT } from '#web/lib/page-script.ts'
import { documentTitle } from '#web/lib/titles.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { Route } from './+types/root'
import '#web/ui/tokens.css'
import '#web/ui/base.css'

/** Route options in `handle`. */
export interface RouteHandle {
  /** Namespaces of texts the page needs besides common. */
  ns?: Namespace[]
  /** A static page sends no scripts at all. */
  plain?: boolean
  /** The page shows placeholders of its own while another list of it is loading. */
  hasPlaceholders?: boolean
}

export async function loader({ context }: Route.LoaderArgs) {
  const { language, user, expiresAt } = visitorOf(context)
  return { language, user, expiresAt, site: await api(context)(getSite) }
}

export const middleware = [guard]

// Site and language do not change on navigation; a change of language loads a new document.
export const shouldRevalidate = ({ formMethod }: ShouldRevalidateFunctionArgs) =>
  formMethod !== undefined && formMethod !== 'GET'

export const useSite = () => useRouteLoaderData<typeof loader>('root')?.site
export const useUser = () => useRouteLoaderData<typeof loader>('root')?.user ?? null
/** When the session ends, unless it is renewed. */
export const useExpiresAt = () => useRouteLoaderData<typeof loader>('root')?.expiresAt ?? null

export function Layout({ children }: { children: ReactNode }) {
  const { nonce } = use(DocumentContext)
  const root = useRouteLoaderData<typeof loader>('root')
  const matches = useMatches()
  const { pathname } = useLocation()
  const language: Language = root?.language ?? 'en'
  const handles = matches.map((match) => match.handle as RouteHandle | undefined)
  const namespaces = [...new Set(['common', ...handles.flatMap((handle) => handle?.ns ?? [])])]
  const isPlain = handles.some((handle) => handle?.plain)
  const page = matches.at(-1)?.loaderData as { title?: string; description?: string } | undefined
  const title = documentTitle(language, pathname, page?.title)
  return (
    <html lang={language} dir={directionOf(language)} data-namespaces={namespaces.join(' ')} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {page?.description && <meta name="description" content={page.description} />}
        <SocialPreview title={title} description={page?.description} url={root?.site.public_url} path={pathname} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="alternate" type="application/atom+xml" href="/travel-advisories/feed.atom" title={title} />
        <Styles />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: PAGE_SCRIPT }} />
      </head>
      <body>
        <LanguageProvider language={language}>{children}</LanguageProvider>
        {!isPlain && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  )
}

export default function App() {
  return (
    <>
      <PageLoading />
      <Outlet />
      <UnsavedGuard />
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorScreen level="page" error={error} />
}

function SocialPreview(props: {
  title: string
  description: string | undefined
  url: string | undefined
  path: string
}) {
  if (!props.url) return null
  return (
    <>
      <meta property="og:title" content={props.title} />
      {props.description && <meta property="og:description" content={props.description} />}
      <meta property="og:type" content="website" />
      <meta property="og:url" content={`${props.url}${props.path}`} />
      <meta property="og:image" content={`${props.url}/social-preview.png`} />
      <meta name="twitter:card" content="summary_large_image" />
      <link rel="canonical" href={`${props.url}${props.path}`} />
    </>
  )
}

const neverChanges = () => () => {}

/** The page's styles are inlined; their files are linked only afterwards, for pages visited later. */
function Styles() {
  const { css } = use(DocumentContext)
  const isHydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  if (import.meta.env.DEV) return <Links />
  return (
    <>
      <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: css }} />
      {isHydrated && <Links />}
    </>
  )
}
