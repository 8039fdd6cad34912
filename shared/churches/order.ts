import type { PublicMode } from './discretion.ts'

/** Churches that hide their place come last; otherwise in the order given. */
export function lastDiscreet<T extends { discreet_mode: PublicMode }>(locales: readonly T[]): T[] {
  const isOpen = ({ discreet_mode: mode }: T) => mode === 'exact'
  return [...locales.filter(isOpen), ...locales.filter((locale) => !isOpen(locale))]
}
