import { compiler } from 'markdown-to-jsx/html'
import { describe, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { answerTo, insertFacts, insertTokyo, RATES_OF_TESTS, SOME_FACTS } from './testing.ts'

const NOW = new Date('2026-03-10T09:00:00Z')
const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'), NOW)
await insertFacts(database, SOME_FACTS)
await insertTokyo(database)
await inBackground(database, 'test', async (db) => {
  for (const level of ['caution', 'warning'] as const)
    await insertAdvisory(db, { title: `Japan: ${level}`, severity_level: level, country_codes: ['JP'] })
})
const app = await testApp(database, { now: () => NOW, assistant: { rates: RATES_OF_TESTS } })

const QUESTIONS: Record<string, Record<AssistantLanguage, string>> = {
  'whether it is safe': {
    en: 'Is it safe to travel to Japan?',
    tl: 'Ligtas po bang maglakbay sa Japan?',
    es: '¿Es seguro viajar a Japón?',
    ar: 'هل السفر إلى اليابان آمن؟',
    zh: '去日本旅行安全吗？',
    fr: 'Est-il sûr de voyager au Japon ?',
    de: 'Ist es sicher, nach Japan zu reisen?',
    it: 'È sicuro viaggiare in Giappone?',
    ja: '日本への旅行は安全ですか？',
    ko: '일본 여행은 안전한가요?',
    pt: 'É seguro viajar para o Japão?',
    hi: 'क्या जापान की यात्रा सुरक्षित है?',
  },
  'where a church is': {
    en: 'Where is a church in Tokyo?',
    tl: 'Saan po may simbahan sa Tokyo?',
    es: '¿Dónde hay una iglesia en Tokio?',
    ar: 'أين توجد كنيسة في طوكيو؟',
    zh: '东京的教会在哪里？',
    fr: 'Où y a-t-il une église à Tokyo ?',
    de: 'Wo gibt es eine Kirche in Tokio?',
    it: "Dove c'è una chiesa a Tokyo?",
    ja: '東京の教会はどこですか？',
    ko: '도쿄에 교회가 어디에 있나요?',
    pt: 'Onde há uma igreja em Tóquio?',
    hi: 'टोक्यो में कलीसिया कहाँ है?',
  },
  'what PDOS is': {
    en: 'What is PDOS?',
    tl: 'Ano po ang PDOS?',
    es: '¿Qué es el PDOS?',
    ar: 'ما هي ندوة PDOS؟',
    zh: 'PDOS是什么？',
    fr: "Qu'est-ce que le PDOS ?",
    de: 'Was ist PDOS?',
    it: "Che cos'è il PDOS?",
    ja: 'PDOSとは何ですか？',
    ko: 'PDOS가 무엇인가요?',
    pt: 'O que é o seminário PDOS?',
    hi: 'PDOS क्या है?',
  },
  'which papers are needed': {
    en: 'Which documents do I need for Saudi Arabia?',
    tl: 'Anong mga dokumento ang kailangan ko para sa Saudi Arabia?',
    es: '¿Qué documentos necesito para Arabia Saudí?',
    ar: 'ما الوثائق التي أحتاجها للسفر إلى السعودية؟',
    zh: '去沙特阿拉伯需要哪些文件？',
    fr: "De quels documents ai-je besoin pour l'Arabie saoudite ?",
    de: 'Welche Dokumente brauche ich für Saudi-Arabien?',
    it: "Quali documenti mi servono per l'Arabia Saudita?",
    ja: 'サウジアラビアに行くにはどんな書類が必要ですか？',
    ko: '사우디아라비아에 가려면 어떤 서류가 필요한가요?',
    pt: 'Que documentos preciso para a Arábia Saudita?',
    hi: 'सऊदी अरब के लिए मुझे कौन से दस्तावेज़ चाहिए?',
  },
  'which numbers help': {
    en: 'What are the emergency numbers in Saudi Arabia?',
    tl: 'Ano ang mga emergency number sa Saudi Arabia?',
    es: '¿Cuáles son los números de emergencia en Arabia Saudí?',
    ar: 'ما هي أرقام الطوارئ في السعودية؟',
    zh: '沙特阿拉伯的紧急求助电话是什么？',
    fr: "Quels sont les numéros d'urgence en Arabie saoudite ?",
    de: 'Wie lauten die Notrufnummern in Saudi-Arabien?',
    it: 'Quali sono i numeri di emergenza in Arabia Saudita?',
    ja: 'サウジアラビアの緊急電話番号は何ですか？',
    ko: '사우디아라비아의 긴급 전화번호가 무엇인가요?',
    pt: 'Quais são os números de emergência na Arábia Saudita?',
    hi: 'सऊदी अरब में आपातकालीन नंबर क्या हैं?',
  },
  'who keeps a passport': {
    en: 'My employer in Saudi Arabia took my passport and does not give it back',
    tl: 'Kinuha ng amo ko sa Saudi Arabia ang pasaporte ko at ayaw ibalik',
    es: 'Mi empleador en Arabia Saudí me quitó el pasaporte y no me lo devuelve',
    ar: 'صاحب العمل في السعودية أخذ جواز سفري ولا يعيده',
    zh: '我在沙特阿拉伯的雇主扣留了我的护照',
    fr: "Mon employeur en Arabie saoudite m'a pris mon passeport et ne me le rend pas",
    de: 'Mein Arbeitgeber in Saudi-Arabien hat mir den Pass weggenommen und gibt ihn nicht zurück',
    it: 'Il mio datore di lavoro in Arabia Saudita mi ha preso il passaporto e non me lo restituisce',
    ja: 'サウジアラビアの雇い主にパスポートを取り上げられました',
    ko: '사우디아라비아의 고용주가 제 여권을 빼앗아 갔습니다',
    pt: 'O meu patrão na Arábia Saudita tirou-me o passaporte e não o devolve',
    hi: 'सऊदी अरब में मेरे मालिक ने मेरा पासपोर्ट ले लिया है और वापस नहीं देता',
  },
}

describe.each(Object.entries(QUESTIONS))('the question %s', (_, questions) => {
  test('is answered in its language, from the same records in every language', async () => {
    const expected = (await answerTo(app, questions.en)).metadata
    expect(expected.records.length).toBeGreaterThan(0)
    const actual = []
    for (const language of ASSISTANT_LANGUAGE_CODES) {
      const { metadata } = await answerTo(app, questions[language])
      actual.push([metadata.language, metadata.status, metadata.danger?.country, ...metadata.records])
    }
    expect(actual).toEqual(
      ASSISTANT_LANGUAGE_CODES.map((code) => [code, expected.status, expected.danger?.country, ...expected.records]),
    )
  })

  test('leaves no placeholder unfilled and no live markup', async () => {
    for (const language of ASSISTANT_LANGUAGE_CODES) {
      const { content, metadata } = await answerTo(app, questions[language], { language })
      expect(content).not.toMatch(/\{\{|\}\}|undefined|null|NaN|\[object/)
      expect(compiler(content).match(/<(?!\/?(p|ul|li|strong|div)>)[^>]*>/g)).toBeNull()
      for (const { label } of metadata.quickActions) expect(label).not.toMatch(/\{\{|undefined/)
    }
  })
})

test('an answer requested in another language cites the same records as one asked in it', async () => {
  for (const language of ASSISTANT_LANGUAGE_CODES) {
    const { metadata } = await answerTo(app, 'Is it safe to travel to Japan?', { language })
    expect(metadata.language).toBe(language)
    expect(metadata.records[0]).toBe('country:JP')
  }
})
