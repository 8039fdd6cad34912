import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { Form, useLocation, useNavigate } from 'react-router'
import { isAdmin, type Role } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './AdminSearch.module.css'
import { findPage, namedPages, pagesLike } from './admin-search.ts'
import { useUserSearch } from './useUserSearch.ts'

/** Leads to a page or a user; a plain GET form, so that it works without scripts too. */
export function AdminSearch({ role, hasSlashKey }: { role: Role; hasSlashKey: boolean }) {
  const t = useT('admin')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const pages = namedPages(role, t)
  const [text, setText] = useState('')
  const [hasNoMatch, setNoMatch] = useState(false)
  const users = useUserSearch(isAdmin(role) ? text : '')
  useSearchKeys(input, hasSlashKey)
  useEmptyAfterwards(input)

  function go(event: SyntheticEvent, term: string) {
    event.preventDefault()
    const to = term.trim() && findPage(term, role, pages)
    setNoMatch(term.trim() !== '' && !to)
    if (to) void navigate(to)
  }
  function onInput(event: SyntheticEvent<HTMLInputElement, InputEvent>) {
    const { value } = event.currentTarget
    setText(value)
    setNoMatch(false)
    // A datalist suggestion was chosen: treat it as Enter.
    if (event.nativeEvent.inputType === 'insertReplacementText') go(event, value)
  }
  return (
    <Form
      action="/admin/search"
      role="search"
      className={styles.form}
      onSubmit={(event) => go(event, input.current?.value ?? '')}
    >
      <label htmlFor={id} className="visually-hidden">
        {t('search_label')}
      </label>
      <Icon name="search" className={styles.sign} />
      <input
        ref={input}
        id={id}
        name="search"
        type="text"
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        placeholder={t('search_placeholder')}
        list={`${id}-list`}
        aria-keyshortcuts={hasSlashKey ? '/ Control+K' : 'Control+K'}
        aria-describedby={`${id}-state`}
        onInput={onInput}
        onKeyDown={blurOnEscape}
        onBlur={() => setNoMatch(false)}
      />
      <kbd className="needs-script">{hasSlashKey ? '/' : 'Ctrl K'}</kbd>
      <datalist id={`${id}-list`}>
        {pagesLike(text, pages).map(({ to, label }) => (
          <option key={to} value={label} />
        ))}
        {users.map(({ id: userId, name, email }) => (
          <option key={userId} value={`user ${email}`}>
            {name}
          </option>
        ))}
      </datalist>
      <p id={`${id}-state`} role="status" className={styles.state}>
        {hasNoMatch && t('search_none')}
      </p>
    </Form>
  )
}

function blurOnEscape(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key === 'Escape') event.currentTarget.blur()
}

/** `/` unless the user has disabled single-key shortcuts, and Ctrl+K; neither while typing or in a dialog. */
function useSearchKeys(input: React.RefObject<HTMLInputElement | null>, hasSlashKey: boolean) {
  useEffect(() => {
    function onKeyDown(event: globalThis.KeyboardEvent) {
      const hasModifier = event.ctrlKey || event.metaKey
      // Also by physical key: an Arabic keyboard layout produces another letter.
      const isCtrlK = hasModifier && !event.altKey && (event.key.toLowerCase() === 'k' || event.code === 'KeyK')
      const isSlash = hasSlashKey && event.key === '/' && !hasModifier && !event.altKey && !isWriting(event.target)
      if (!(isCtrlK || isSlash) || document.querySelector('dialog:modal')) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [input, hasSlashKey])
}

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Clears the search after a navigation. */
function useEmptyAfterwards(input: React.RefObject<HTMLInputElement | null>) {
  const { pathname, search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run on each change of URL
  useEffect(() => {
    if (input.current) input.current.value = ''
  }, [pathname, search])
}
