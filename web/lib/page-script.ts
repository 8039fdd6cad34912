/**
 * The only inline script of ours, the same on every page, so that its hash never changes. Before anything is painted it
 * says that scripts run and which theme was chosen; afterwards it answers the theme buttons, also on pages that send
 * no other script.
 */
export const PAGE_SCRIPT = `(()=>{const d=document.documentElement,k='theme';d.dataset.js='';
const show=t=>{if(t==='light'||t==='dark')d.dataset.theme=t;else delete d.dataset.theme;
document.querySelectorAll('[data-theme-choice]').forEach(b=>b.setAttribute('aria-pressed',String(b.dataset.themeChoice===(t||'system'))))};
let t=null;try{t=localStorage.getItem(k)}catch{}show(t);
document.addEventListener('DOMContentLoaded',()=>show(t));
document.addEventListener('click',e=>{const b=e.target.closest?.('[data-theme-choice]');if(!b)return;t=b.dataset.themeChoice;
try{t==='system'?localStorage.removeItem(k):localStorage.setItem(k,t)}catch{}show(t)})})()`
