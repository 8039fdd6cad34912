import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import styles from './AdminTable.module.css'

const BOXES = 'tbody input[type=checkbox]'

/** Actions on the selected rows; visible once one is selected, also without scripts. */
export function SelectionBar({ children }: { children: ReactNode }) {
  const t = useT('admin')
  const bar = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(0)
  useEffect(() => {
    const table = bar.current?.parentElement
    if (!table) return
    const updateCount = () => setCount(table.querySelectorAll(`${BOXES}:checked`).length)
    updateCount()
    table.addEventListener('change', updateCount)
    return () => table.removeEventListener('change', updateCount)
  }, [])
  return (
    <div ref={bar} className={styles.bar}>
      <b role="status">{count > 0 && t('table_chosen', { count })}</b>
      {children}
    </div>
  )
}

/** Selects all rows of this page, or none; without scripts rows are selected one by one. */
export function Chooser() {
  const t = useT('admin')
  return (
    <th scope="col" className={styles.choose}>
      <span className="visually-hidden">{t('table_choose')}</span>
      <input
        type="checkbox"
        className="needs-script"
        aria-label={t('table_choose_all')}
        onChange={({ currentTarget }) => {
          const boxes = currentTarget.closest('table')?.querySelectorAll<HTMLInputElement>(BOXES)
          for (const box of boxes ?? []) if (box.checked !== currentTarget.checked) box.click()
        }}
      />
    </th>
  )
}
