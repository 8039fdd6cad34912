import { useEffect } from 'react'
import { Form, Link, useLocation } from 'react-router'
import { listFaq } from '#shared/content/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/TravelFaqPage'
import { FaqCategory } from './FaqCategory.tsx'
import { type Category, categoriesOf, categoryTitle } from './faq.ts'
import styles from './TravelFaqPage.module.css'

export const handle = { ns: ['content'] } satisfies RouteHandle

const MAX_CHARACTERS = 200

export async function loader({ request, context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const search = new URL(request.url).searchParams.get('search')?.trim().slice(0, MAX_CHARACTERS) ?? ''
  const { faq } = await api(context)(listFaq, { query: { lng: language, search: search || undefined } })
  return { search, categories: categoriesOf(faq), count: faq.length }
}

export default function TravelFaqPage({ loaderData }: Route.ComponentProps) {
  const { search, categories, count } = loaderData
  const t = useT('content')
  useOpenByHash()
  return (
    <Page>
      <Breadcrumbs />
      <h1>{t('faq_title')}</h1>
      <p className={styles.intro}>{t('faq_subtitle')}</p>
      <Search key={search} search={search} />
      {count === 0 ? (
        <None search={search} />
      ) : (
        <>
          <p className={styles.count} role="status">
            {search ? t('faq_count_search', { count, search }) : t('faq_count', { count })}{' '}
            {search && <Link to="/travel-faq">{t('faq_clear')}</Link>}
          </p>
          {categories.length > 1 && <Contents categories={categories} />}
          {categories.map((category) => (
            <FaqCategory key={category.name} category={category} isOpen={search !== ''} />
          ))}
        </>
      )}
      <p className={styles.person}>
        <Link to="/support">{t('faq_not_answered')}</Link>
      </p>
    </Page>
  )
}

function Search({ search }: { search: string }) {
  const t = useT('content')
  return (
    <Form action="/travel-faq" role="search" className={styles.search}>
      <TextField
        label={t('faq_search_label')}
        name="search"
        type="search"
        defaultValue={search}
        placeholder={t('faq_search_placeholder')}
        maxLength={MAX_CHARACTERS}
        className={styles.field}
      />
      <Button type="submit" look="primary">
        {t('faq_search_button')}
      </Button>
    </Form>
  )
}

function None({ search }: { search: string }) {
  const t = useT('content')
  if (!search) return <Note heading="h2" title={t('faq_empty')} />
  return (
    <Note heading="h2" title={t('faq_none', { search })} isLive>
      <p>{t('faq_none_hint')}</p>
      <p>
        <Link to="/travel-faq">{t('faq_show_all')}</Link>
      </p>
    </Note>
  )
}

function Contents({ categories }: { categories: readonly Category[] }) {
  const t = useT('content')
  return (
    <nav aria-label={t('faq_contents')} className={styles.contents}>
      {categories.map(({ name }) => (
        <a key={name} href={`#${name}`}>
          {categoryTitle(t, name)}
        </a>
      ))}
    </nav>
  )
}

/** Browsers expand `details` for an anchor inside only on page load; on client navigation we do. */
function useOpenByHash() {
  const { hash } = useLocation()
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
      target?.closest('details')?.setAttribute('open', '')
    }
    if (hash) open()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [hash])
}
