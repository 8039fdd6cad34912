import { createContext, type ReactNode, use, useContext, useMemo } from 'react'
import { DEFAULT_LANGUAGE, type Language } from '#shared/language.ts'

/** The namespaces of public/locales; the English files are the list of keys. */
export interface Namespaces {
  common: typeof import('../../public/locales/en/common.json')
  advisories: typeof import('../../public/locales/en/advisories.json')
  countries: typeof import('../../public/locales/en/countries.json')
  content: typeof import('../../public/locales/en/content.json')
}
export type Namespace = keyof Namespaces

type PluralSuffix = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other'
type Base<K> = K extends `${infer B}${PluralSuffix}` ? B | K : K
export type Key<N extends Namespace> = Base<keyof Namespaces[N] & string>

type Messages = Record<string, string>
export type Parameters = Record<string, string | number>
export type Translate<N extends Namespace> = (key: Key<N>, parameters?: Parameters) => string

const LanguageContext = createContext<Language>(DEFAULT_LANGUAGE)

export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  return <LanguageContext value={language}>{children}</LanguageContext>
}

export const useLanguage = () => useContext(LanguageContext)

/** The texts of one namespace in the page's language. Suspends in the browser until they are there. */
export function useT<N extends Namespace>(namespace: N): Translate<N> {
  const language = useLanguage()
  const messages = loaded.get(`${language}/${namespace}`) ?? use(load(language, namespace))
  return useMemo(() => translator(language, namespace, messages), [language, namespace, messages])
}

/** A `t` outside of components, over messages that were registered before. */
export function translator<N extends Namespace>(language: Language, namespace: N, messages?: Messages): Translate<N> {
  const own = messages ?? loaded.get(`${language}/${namespace}`) ?? {}
  const fallback = loaded.get(`${DEFAULT_LANGUAGE}/${namespace}`) ?? {}
  const plurals = new Intl.PluralRules(language)
  return (key, parameters) => {
    const count = parameters?.count
    const exact = typeof count === 'number' ? `${key}_${plurals.select(count)}` : key
    const text =
      own[exact] ??
      own[`${key}_other`] ??
      own[key] ??
      fallback[exact] ??
      fallback[`${key}_other`] ??
      fallback[key] ??
      key
    return parameters ? text.replace(/\{\{(\w+)\}\}/g, (_, name) => String(parameters[name] ?? '')) : text
  }
}

const loaded = new Map<string, Messages>()
const loading = new Map<string, Promise<Messages>>()
const files = import.meta.env.SSR
  ? {}
  : import.meta.glob<Messages>('../../public/locales/*/*.json', { import: 'default' })

/** Puts texts in place before rendering: all of them on the server, those of the first page in the browser. */
export function registerMessages(language: string, namespace: string, messages: Messages) {
  loaded.set(`${language}/${namespace}`, messages)
}

/** Fetches one namespace once; a failure is tried again by the next caller. */
export function load(language: Language, namespace: Namespace): Promise<Messages> {
  const name = `${language}/${namespace}`
  let promise = loading.get(name)
  if (!promise) {
    const file = files[`../../public/locales/${name}.json`]
    promise = (file ? file() : Promise.resolve<Messages>({})).then((messages) => {
      loaded.set(name, messages)
      return messages
    })
    promise.catch(() => loading.delete(name))
    loading.set(name, promise)
  }
  return promise
}
