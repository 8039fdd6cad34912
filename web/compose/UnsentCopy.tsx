import { useEffect, useState } from 'react'
import { useLocation, useSubmit } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { PageNotice } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Note } from '#web/ui/Note.tsx'

/** Copies stay in this tab only; signing out removes them (web/lib/leftovers.ts). */
const keyOf = (user: string, path: string) => `composer:${user}:${path}`
const FORM = 'composer'

/**
 * Follows the form in a copy in this tab, so that nothing is lost when the session ends or the page closes. Offers to
 * restore a copy that was not sent.
 */
export function UnsentCopy({ isShown }: { isShown: boolean }) {
  const t = useT('compose')
  const submit = useSubmit()
  const { pathname } = useLocation()
  const user = useUser()?.id ?? ''
  const key = keyOf(user, pathname)
  const [copy, setCopy] = useState<string | null>(null)
  useEffect(() => setCopy(read(key)), [key])
  useEffect(() => {
    const write = ({ target }: Event) => {
      const { form } = target as HTMLInputElement
      if (form?.id === FORM)
        save(key, JSON.stringify([...new FormData(form)].filter(([name]) => !OMITTED.includes(name))))
    }
    document.addEventListener('input', write)
    return () => document.removeEventListener('input', write)
  }, [key])
  useEffect(
    () => () => {
      // Sent, saved or left on purpose; only signing in again leads back to the copy.
      const { pathname: next } = window.location
      if (next !== pathname && !SIGN_IN.includes(next)) save(key, null)
    },
    [key, pathname],
  )
  if (!isShown || copy === null) return null

  function discard() {
    save(key, null)
    setCopy(null)
  }
  function restore() {
    const values = new FormData()
    for (const [name, value] of JSON.parse(copy ?? '[]') as [string, string][]) values.append(name, value)
    values.set('intent', 'resume')
    void submit(values, { method: 'post' })
    discard()
  }
  return (
    <PageNotice>
      <Note
        kind="unknown"
        title={t('copy_title')}
        action={
          <Buttons>
            <Button onClick={restore}>{t('copy_restore')}</Button>
            <Button look="link" onClick={discard}>
              {t('copy_delete')}
            </Button>
          </Buttons>
        }
      >
        {t('copy_text')}
      </Note>
    </PageNotice>
  )
}

const SIGN_IN = ['/login', '/two-step']
/** The idempotency keys of a form that is over, and the version it was made from. */
const OMITTED = ['once', 'key', 'made_from', 'intent']

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

function save(key: string, value: string | null) {
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
  } catch {
    // Storage is full or forbidden: the form works without a copy.
  }
}
