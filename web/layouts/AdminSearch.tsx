import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { Form, useLocation, useNavigate } from 'react-router'
import type { Role } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './AdminSearch.module.css'
import { findPage, namedPages } from './admin-search.ts'
import { SearchList } from './SearchList.tsx'
import type { SearchResult } from './search-results.ts'
import { useSearchResults } from './useSearchResults.ts'

/** Finds pages, people and records; a plain GET form, so that it works without scripts too. */
export function AdminSearch({ role, hasSlashKey }: { role: Role; hasSlashKey: boolean }) {
  const t = useT('admin')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { results, isWaiting } = useSearchResults(isOpen ? text : '')
  const options = results?.groups.flatMap(({ rows }) => rows) ?? []
  useSearchKeys(input, hasSlashKey)
  useEmptyAfterwards(input, () => {
    setText('')
    setOpen(false)
  })

  function open({ to }: SearchResult, isNewTab: boolean) {
    if (isNewTab) window.open(to, '_blank', 'noopener')
    else void navigate(to)
  }
  /** Words that name a page lead straight to it; anything else to the results. */
  function go(event: SyntheticEvent) {
    const to = text.trim() && findPage(text, role, namedPages(role, t))
    setOpen(false)
    if (!to) return
    event.preventDefault()
    void navigate(to)
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') event.currentTarget.blur()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (options.length > 0)
        setActive((active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length)
    } else if (event.key === 'Enter' && options[active]) {
      event.preventDefault()
      open(options[active], event.ctrlKey || event.metaKey)
    }
  }
  return (
    <Form action="/admin/search" role="search" aria-label={t('search_label')} className={styles.form} onSubmit={go}>
      <label htmlFor={id} className="visually-hidden">
        {t('search_label')}
      </label>
      <Icon name="search" className={styles.sign} />
      <input
        ref={input}
        id={id}
        name="search"
        type="text"
        role="combobox"
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        placeholder={t('search_placeholder')}
        aria-keyshortcuts={hasSlashKey ? '/ Control+K' : 'Control+K'}
        aria-autocomplete="list"
        aria-expanded={isOpen && options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen && options[active] ? `${id}-${active}` : undefined}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setOpen(true)
          setActive(-1)
        }}
        onKeyDown={onKeyDown}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      />
      <kbd className="needs-script">{hasSlashKey ? '/' : 'Ctrl K'}</kbd>
      <SearchList
        id={id}
        results={isOpen ? results : null}
        isWaiting={isOpen && isWaiting}
        search={text}
        active={active}
        onSuggest={(suggestion) => {
          if (input.current) input.current.value = suggestion
          setText(suggestion)
        }}
      />
    </Form>
  )
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
function useEmptyAfterwards(input: React.RefObject<HTMLInputElement | null>, clear: () => void) {
  const { pathname, search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run on each change of URL
  useEffect(() => {
    if (input.current) input.current.value = ''
    clear()
  }, [pathname, search])
}
