import { createContext } from 'react'

/** Handed from the server entry to the document; empty in the browser, where the markup already holds both. */
export const DocumentContext = createContext<{ css: string; nonce: string | undefined }>({ css: '', nonce: undefined })
