import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composedMail, plainLinks, sanitizedHtml } from './authored-mail.ts'

const WRITER = { name: 'Maria Santos', role: 'mfa_coordinator' as const }
const DOMAINS = ['portal.example', 'dfa.gov.ph']
const clean = (html: string) => sanitizedHtml(html, DOMAINS)

/** Well-known attacks, plus the larger collection if it lies next to the repository. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVa\tScript:alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<form action="https://evil.example"><input name=password><button>Sign in</button></form>',
  '<div style="position:fixed;inset:0;background:#fff">You are signed out</div>',
  '<style>body{display:none}</style><link rel=stylesheet href=//evil.example/x.css>',
  '<img src="https://evil.example/pixel.gif?who=1"><video poster=//evil.example/x src=x></video>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<base href="https://evil.example/"><a href="/login">Sign in</a>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><object data=x></object><embed src=x>',
  '<a href="//evil.example/login">portal.example</a>',
  '<a href="http://a.aa/<base href="https://evil.example/"><a href="/login">Sign in</a>',
  '<p class="cover" id="x" onclick="alert(1)" background="https://evil.example/x.gif">Hi</p>',
]
const COLLECTION = process.env.SHARED_DATA
  ? `${process.env.SHARED_DATA}/adversarial/strings`
  : new URL('../../../shared/data/adversarial/strings', import.meta.url).pathname
const collected = existsSync(COLLECTION)
  ? readdirSync(COLLECTION)
      .filter((name) => /\.(txt|json)$/.test(name))
      .flatMap((name) => readFileSync(`${COLLECTION}/${name}`, 'utf8').split('\n').slice(0, 3_000))
  : []

/** Every tag allowed in the result: nothing that executes, submits, overlays or loads anything. */
const TAG =
  /^<\/?(p|br|hr|h[1-4]|blockquote|pre|code|strong|b|em|i|u|s|small|sub|sup|bdi|span|div|ul|ol|li|table|thead|tbody|tr|th|td|a)( (dir|lang)="[\w-]+")*( href="(https?|mailto|tel):[^"<>]*")?( (dir|lang)="[\w-]+")*( \/)?>$/

function expectHarmless(html: string) {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) expect(tag).toMatch(TAG)
  expect(html.replace(/<[^>]*>/g, '')).not.toContain('<')
  for (const [, href, label] of html.matchAll(/<a[^>]* href="(https?:[^"]*)"[^>]*>(.*?)<\/a>/gs)) {
    const { hostname } = new URL(href!.replaceAll('&amp;', '&'))
    const isListed = DOMAINS.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))
    if (!isListed) expect(label).toContain(`[${hostname.replaceAll('&', '&amp;')}]`)
  }
}

test.each(ATTACKS)('%s is harmless', (html) => expectHarmless(clean(html)))

test('hostile texts of the collection are harmless, alone and inside markup', () => {
  for (const text of collected) {
    expectHarmless(clean(text))
    expectHarmless(clean(`<p>Dear friends <a href="${text}">${text}</a></p>`))
  }
})

test('random combinations of markup fragments are harmless', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      ...ATTACKS,
      '<a href="',
      '">',
      '</a>',
      '<p',
      ' style="',
      '<!--',
      '-->',
      '<![CDATA[',
      '&lt;',
      '<b>',
      '"',
      "'",
    ),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.webUrl(),
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
      const once = clean(fragments.join(''))
      expectHarmless(once)
      const { html, text } = composedMail({ text: null, html: fragments.join('') }, WRITER, 'en', DOMAINS)
      expectHarmless(html!)
      expect(text).toContain('Written by Maria Santos')
    }),
    { numRuns: 300 },
  )
})

test('a link to a listed domain stays unchanged, any other shows its target', () => {
  expect(clean('<a href="https://www.dfa.gov.ph/visa">Visa</a>')).toBe('<a href="https://www.dfa.gov.ph/visa">Visa</a>')
  expect(clean('<a href="https://evil.example/dfa.gov.ph">dfa.gov.ph</a>')).toBe(
    '<a href="https://evil.example/dfa.gov.ph">dfa.gov.ph [evil.example]</a>',
  )
  expect(clean('<a href="https://dfa.gov.ph.evil.example">x</a>')).toContain('[dfa.gov.ph.evil.example]')
  expect(clean('<a href="https://dfa.gov.ph@evil.example/">x</a>')).toBe(
    '<a href="https://evil.example/">x [evil.example]</a>',
  )
  // Cyrillic letters that look like Latin ones.
  expect(clean('<a href="https://dfа.gov.ph">dfa.gov.ph</a>')).toContain('[xn--df-8kc.gov.ph]')
  expect(clean('<a href="mailto:thief@evil.example?subject=x">Write to us</a>')).toContain('[thief@evil.example]')
})

test('the text part says the same as the markup, including link addresses', () => {
  const { text } = composedMail(
    { text: null, html: '<p>One</p><p>Two &amp; <a href="https://evil.example/x">three</a></p>' },
    WRITER,
    'en',
    DOMAINS,
  )
  expect(text).toBe(
    'One\nTwo & three [evil.example] (https://evil.example/x)\n\n-- \nWritten by Maria Santos, MFA coordinator.',
  )
  expect(plainLinks('See https://dfа.gov.ph/visa or dfа.gov.ph, not المنامة. ok')).toBe(
    'See https://xn--df-8kc.gov.ph/visa or xn--df-8kc.gov.ph, not المنامة. ok',
  )
  expect(plainLinks('https://dfa.gov.ph@evil.example/x')).toBe('https://evil.example/x')
  expect(plainLinks('Call https://dfa.gov.ph/a?b=c.')).toBe('Call https://dfa.gov.ph/a?b=c.')
})

test('markup in the author’s name is escaped', () => {
  const { html } = composedMail({ text: 'x', html: 'x' }, { ...WRITER, name: '<b>{{brand}}</b>' }, 'en', DOMAINS)
  expect(html).toContain('Written by &lt;b&gt;{{brand}}&lt;/b&gt;')
})
