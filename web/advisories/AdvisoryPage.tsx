import { data, isRouteErrorResponse, redirect } from 'react-router'
import { acknowledgeAdvisory } from '#shared/advisories/endpoints.ts'
import { NotFound } from '#web/content/NotFound.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/AdvisoryPage'
import { Acknowledgments } from './Acknowledgments.tsx'
import styles from './Detail.module.css'
import { Actions, Churches, OtherSources } from './DetailAside.tsx'
import { DetailBody } from './DetailBody.tsx'
import { DetailHead } from './DetailHead.tsx'
import { type AdvisoryDetailData, detailOf } from './detail.server.ts'
import { ADVISORIES_PATH } from './filters.ts'
import { livePage } from './live.ts'
import { Origin } from './Origin.tsx'
import { WhatChanged } from './WhatChanged.tsx'

export const handle = { ns: ['advisory'] } satisfies RouteHandle

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { language, now, user } = visitorOf(context)
  const id = params.id.toLowerCase()
  // An invalid id is an address without a page, not a user error.
  if (!ID.test(id)) throw data(null, { status: 404 })
  const hasAllChurches = new URL(request.url).searchParams.get('churches') === 'all'
  return detailOf(api(context), id, language, { now, isSignedIn: user !== null, hasAllChurches })
}

/**
 * Acknowledges this version. Posted by a form on the page and by the dialog, which only needs success or failure. No
 * `formAction`: an error is shown by the dialog or replaces the page, and a visitor signs in first.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const id = params.id.toLowerCase()
  if (!ID.test(id)) throw data(null, { status: 404 })
  const page = `${ADVISORIES_PATH}/${id}`
  const { error } = await attempt(context, (call) => call(acknowledgeAdvisory, { params: { id } }))
  if (error?.status === 401) throw redirect(`/login?returnTo=${encodeURIComponent(page)}`)
  if (error) throw data({ error: error.error, code: error.code }, { status: error.status })
  return (await request.formData()).has('stay') ? { isAcknowledged: true } : redirect(page, 303)
}

type LoaderData = Awaited<ReturnType<typeof loader>>
const live = livePage<LoaderData>()

/** Also used by the dialog over the list: a failure there must not replace the list, so it is returned as data. */
export async function clientLoader(args: Route.ClientLoaderArgs) {
  try {
    return await live.load(args)
  } catch (error) {
    if (error instanceof Response) throw error
    return { failedWith: isRouteErrorResponse(error) ? error.status : 0 }
  }
}

export default function AdvisoryPage({ loaderData }: Route.ComponentProps) {
  live.useLive('failedWith' in loaderData ? undefined : loaderData)
  if (!('failedWith' in loaderData)) return <Loaded detail={loaderData} />
  return <Page>{loaderData.failedWith === 404 ? <NotFound /> : <Failed />}</Page>
}

function Loaded({ detail }: { detail: AdvisoryDetailData }) {
  return (
    <Page>
      <Breadcrumbs />
      <article>
        <DetailHead detail={detail} heading="h1" />
        <div className={styles.columns}>
          <DetailBody detail={detail} heading="h2">
            <WhatChanged detail={detail} heading="h2" />
          </DetailBody>
          <div className={styles.aside}>
            <Actions detail={detail} />
            <OtherSources detail={detail} heading="h2" />
            <Acknowledgments detail={detail} heading="h2" />
            <Churches detail={detail} heading="h2" />
          </div>
        </div>
        <Origin detail={detail} />
      </article>
    </Page>
  )
}

function Failed() {
  const t = useT('advisory')
  return (
    <Note
      kind="error"
      heading="h2"
      title={t('details_failed')}
      isLive
      action={
        <ButtonLink to="" reloadDocument icon="refresh">
          {t('try_again')}
        </ButtonLink>
      }
    >
      <p>{t('error_no_answer')}</p>
    </Note>
  )
}
