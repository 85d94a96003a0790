/* The page around a lesson: light or dark, and what is said until its tables are there. It stands first in the body. */
(() => {
  const body = document.body, dark = matchMedia('(prefers-color-scheme: dark)');
  const theme = () => Object.assign(body.dataset, {
    jpThemeLight: String(!dark.matches), jpThemeName: dark.matches ? 'JupyterLab Dark' : 'JupyterLab Light',
  });
  dark.addEventListener('change', theme);
  theme();

  /* Voilà calls these: while a cell takes long, and when the style of the page has come */
  window.voila_heartbeat = window.voila_finish = () => {};

  const SLOW = 20_000;
  document.addEventListener('DOMContentLoaded', () => {
    const state = document.getElementById('chnb-state'), cells = document.getElementById('rendered_cells');
    const told = 'script[type="application/vnd.voila.cell-output+json"]', outputs = `${told}, .jp-OutputArea-child, .jp-OutputArea-output`;
    /* a table has its place in the page before it is drawn there */
    const lacking = () => [...cells.querySelectorAll(outputs)].some(one => !one.firstElementChild)
      || !!cells.querySelector('.jp-OutputArea-output.jupyter-widgets > :empty');
    const say = text => { clearTimeout(slow); state.textContent = text; };
    const slow = setTimeout(say, SLOW, state.dataset.slow);
    const watch = new MutationObserver(() => { tables.forEach(mend); if (!lacking()) done(); });
    const done = () => { clearTimeout(slow); watch.disconnect(); state.remove(); body.dataset.chnbReady = ''; };
    /* ipywidgets gives a table up after two seconds, without a last look whether it came meanwhile, as it does where much
       has to be done at once; then it stands there with a message and is made here instead */
    const tables = new Map([...cells.querySelectorAll(told)].map(one =>
      [one.parentElement, JSON.parse(one.textContent).data['application/vnd.jupyter.widget-view+json']?.model_id]));
    async function mend(id, place) {
      const given = place.querySelector('.jp-OutputArea-output.jupyter-widgets');
      if (!id || !given || given.firstElementChild) return;
      tables.delete(place);
      given.replaceChildren();
      try {
        while (!window.jupyterapp) await new Promise(then => setTimeout(then, 100));
        const manager = await window.jupyterapp.widgetManagerPromise.promise;
        const view = (await manager.create_view(await manager.get_model(id))).luminoWidget;
        view.constructor.attach(view, given);
      } catch (error) {
        console.error(error);
        say(state.dataset.broken);
      }
    }
    watch.observe(cells, { childList: true, subtree: true });
    if (!lacking()) done();
  });
  /* one of Voilà's scripts did not come */
  window.addEventListener('error', event => {
    const state = document.getElementById('chnb-state');
    if (state && event.target instanceof HTMLScriptElement) state.textContent = state.dataset.broken;
  }, true);
})();
