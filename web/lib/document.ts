import { createContext } from 'react'

/** Passed from the server entry to the document; empty in the browser, where the markup already contains both. */
export const DocumentContext = createContext<{ css: string; nonce: string | undefined }>({ css: '', nonce: undefined })
