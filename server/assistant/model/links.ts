/** A Markdown link, with brackets and parentheses escaped by whoever composed it. */
const LINK = /\[((?:\\.|[^\]\\])*)\]\(([^()\s]*)\)/g
const TOKEN = /\{L(\d+)\}/g

export interface Tokens {
  /** The text with {L1} in place of each link. */
  text: string
  links: string[]
}

/** Takes links out of composed Markdown; a model sees and repeats their tokens only, so that it can invent none. */
export function takeLinks(markdown: string, links: string[] = []): Tokens {
  const text = markdown.replace(LINK, (link) => `{L${links.push(link)}}`)
  return { text, links }
}

/** Puts them back; null where a token was never given. */
export function putLinksBack(text: string, links: readonly string[]): string | null {
  let isKnown = true
  const whole = text.replace(TOKEN, (_, n: string) => {
    const link = links[Number(n) - 1]
    if (link === undefined) isKnown = false
    return link ?? ''
  })
  return isKnown ? whole : null
}

export const withoutTokens = (text: string) => text.replace(TOKEN, ' ')
