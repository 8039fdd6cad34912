import { type ReactNode, use, useSyncExternalStore } from 'react'
import {
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
} from 'react-router'
import { directionOf, LANGUAGE_TAGS, type Language } from '#shared/language.ts'
import { getSite } from '#shared/settings/endpoints.ts'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import { PageLoading } from '#web/layouts/PageLoading.tsx'
import { UnsavedGuard } from '#web/layouts/UnsavedGuard.tsx'
import { DocumentContext } from '#web/lib/document.ts'
import { guard } from '#web/lib/guard.ts'
import { LanguageProvider } from '#web/lib/i18n.tsx'
import { PAGE_SCRIPT } from '#web/lib/page-script.ts'
import { type RootData, type RouteHandle, useRootData } from '#web/lib/root-data.ts'
import { documentTitle, type PageData } from '#web/lib/titles.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { Route } from './+types/root'
import '#web/ui/tokens.css'
import '#web/ui/base.css'

export type { RouteHandle } from '#web/lib/root-data.ts'

export async function loader({ context }: Route.LoaderArgs): Promise<RootData> {
  const { language, user, expiresAt } = visitorOf(context)
  return { language, user, expiresAt, site: await api(context)(getSite) }
}

export const middleware = [guard]

// Site and language do not change on navigation; a change of language loads a new document.
export const shouldRevalidate = ({ formMethod }: ShouldRevalidateFunctionArgs) =>
  formMethod !== undefined && formMethod !== 'GET'

export function Layout({ children }: { children: ReactNode }) {
  const { nonce } = use(DocumentContext)
  const root = useRootData()
  const matches = useMatches()
  const { pathname } = useLocation()
  const language: Language = root?.language ?? 'en'
  const handles = matches.map((match) => match.handle as RouteHandle | undefined)
  const namespaces = [...new Set(['common', ...handles.flatMap((handle) => handle?.ns ?? [])])]
  const isPlain = handles.some((handle) => handle?.plain)
  const page = matches.at(-1)?.loaderData as PageData | undefined
  const title = documentTitle(language, pathname, page?.title, handles.find((handle) => handle?.pages)?.pages)
  return (
    <html
      lang={LANGUAGE_TAGS[language]}
      dir={directionOf(language)}
      data-namespaces={namespaces.join(' ')}
      suppressHydrationWarning
    >
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
