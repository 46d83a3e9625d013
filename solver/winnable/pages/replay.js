"use strict";
// Shows the table of REPLAY and steps through its moves. It knows piles and cards, but no game.
(() => {
  const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const RANK_WORDS = ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king"];
  const SUIT_WORDS = ["clubs", "diamonds", "hearts", "spades"];
  const SYMBOLS = "♣♦♥♠";
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const SUIT_SHAPES = [
    "M50 4a22 22 0 0 1 17 36 22 22 0 1 1-13 36c1 9 4 15 10 20H36c6-5 9-11 10-20a22 22 0 1 1-13-36 22 22 0 0 1 17-36z",
    "M50 3C60 22 72 38 86 50 72 62 60 78 50 97 40 78 28 62 14 50 28 38 40 22 50 3z",
    "M50 94C22 68 6 50 6 31 6 16 16 7 29 7c9 0 17 5 21 14 4-9 12-14 21-14 13 0 23 9 23 24 0 19-16 37-44 63z",
    "M50 4c10 20 43 36 43 59 0 12-9 19-19 19-8 0-15-4-19-10 1 11 3 18 9 24H36c6-6 8-13 9-24-4 6-11 10-19 10-10 0-19-7-19-19C7 40 40 24 50 4z",
  ];
  // Milliseconds for a move at speed 1.
  const PACE = 1000;
  const CAPTION = 18;
  const PADDING = 10;
  // How much of a card shows under the next one: as much as its corner needs, where there is room.
  const CORNER = 17;
  const FAN_DOWN = 0.27;
  const FAN_RIGHT = 0.46;
  const HIDDEN_SHARE = 0.4;
  // Card widths between which a table is fitted to the window's height.
  const WIDEST = 92;
  const SLIMMEST = 60;

  const { piles, steps, ending } = REPLAY;
  const byId = (id) => document.getElementById(id);
  const stage = byId("stage");
  const suitOf = (code) => code % 4;
  const rankOf = (code) => Math.floor(code / 4);
  const nameOf = (code) => `${RANK_WORDS[rankOf(code)]} of ${SUIT_WORDS[suitOf(code)]}`;

  // Cards, each with an identity, so that it glides from pile to pile; two packs have equal cards.
  const codes = [];
  const positions = [REPLAY.start.map(([letters, hidden]) => ({ ids: added(letters), hidden }))];
  const moved = [new Set()];

  function added(letters) {
    return [...letters].map((letter) => codes.push(LETTERS.indexOf(letter)) - 1);
  }

  for (const step of steps) {
    const after = positions[positions.length - 1].slice();
    const lifted = step.flatMap(([pile, kept]) => after[pile].ids.slice(kept));
    const came = new Set();
    for (const [pile, kept, letters = "", hidden = 0] of step) {
      const ids = after[pile].ids.slice(0, kept);
      for (const letter of letters) {
        const code = LETTERS.indexOf(letter);
        const place = lifted.findIndex((id) => codes[id] === code);
        const id = place < 0 ? codes.push(code) - 1 : lifted.splice(place, 1)[0];
        ids.push(id);
        came.add(id);
      }
      after[pile] = { ids, hidden };
    }
    positions.push(after);
    moved.push(came);
  }

  // Elements

  function make(kind, name, parent) {
    const element = document.createElement(kind);
    element.className = name;
    parent.append(element);
    return element;
  }

  function drawSuit(suit, name, parent) {
    const space = "http://www.w3.org/2000/svg";
    const drawing = document.createElementNS(space, "svg");
    drawing.setAttribute("viewBox", "0 0 100 100");
    drawing.setAttribute("class", name);
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", SUIT_SHAPES[suit]);
    drawing.append(path);
    parent.append(drawing);
  }

  const slots = piles.map((pile) => (pile.bare ? null : make("div", "slot", stage)));
  const captions = piles.map((pile) => (pile.caption ? make("div", "caption", stage) : null));
  const cards = codes.map((code) => {
    const suit = suitOf(code);
    const card = make("div", suit === 1 || suit === 2 ? "card red" : "card", stage);
    const face = make("div", "face", card);
    const corner = make("div", "corner", face);
    const rank = make("span", "rank", corner);
    rank.textContent = RANKS[rankOf(code)];
    drawSuit(suit, "", corner);
    drawSuit(suit, "pip", face);
    make("div", "rear", card);
    return card;
  });

  // Measures

  let isRevealed = false;
  let size = null;
  const bandCount = Math.max(...piles.map((pile) => pile.band)) + 1;
  const captioned = Array.from({ length: bandCount }, (_, band) =>
    piles.some((pile) => pile.band === band && pile.caption));

  // How far each card of a pile lies from the pile's first one, in shares of a full fan.
  function offsets(pile, heap) {
    const count = heap.ids.length;
    const apart = pile.last ? Math.min(pile.last, count) : count;
    const found = [];
    let at = 0;
    for (let i = 0; i < count; i++) {
      found.push(at);
      if (i >= count - apart) at += i < heap.hidden && !isRevealed ? HIDDEN_SHARE : 1;
    }
    return found;
  }

  // The longest fan that each pile ever has.
  function longest() {
    return piles.map((pile, number) => {
      if (!pile.fan) return 0;
      let most = 0;
      let last = null;
      for (const position of positions) {
        const heap = position[number];
        if (heap !== last && heap.ids.length) {
          const found = offsets(pile, heap);
          most = Math.max(most, found[found.length - 1]);
        }
        last = heap;
      }
      return most;
    });
  }

  function measured(width, cardWidth, fans) {
    const columns = Math.max(...piles.map((pile) => pile.x)) + 1;
    const w = Math.min(cardWidth, (width - 2 * PADDING) / columns);
    const h = w * 1.4;
    const down = Math.max(h * FAN_DOWN, CORNER);
    const tops = [];
    let y = PADDING;
    for (let band = 0; band < bandCount; band++) {
      if (captioned[band]) y += CAPTION;
      tops.push(y);
      y += PADDING + Math.max(...piles.map((pile, number) =>
        pile.band === band ? h * ((pile.y || 0) + 1) + (pile.fan === "down" ? down * fans[number] : 0) : 0));
    }
    const right = Math.max(w * FAN_RIGHT, CORNER);
    return { w, h, down, right, tops, left: (width - columns * w) / 2, height: y, longest: Infinity };
  }

  // The height that leaves the controls in sight; of a table beside the moves, the header too.
  function heightThere() {
    const controls = document.querySelector(".controls");
    const isWide = window.innerWidth >= 960;
    const isBeside = controls && controls.offsetLeft > stage.offsetLeft;
    const others = (controls && !isBeside ? controls.offsetHeight : 0)
      + (isWide && !isBeside ? document.querySelector("header").offsetHeight + 30 : 12);
    return Math.max(320, window.innerHeight - others);
  }

  // Cards as large as the width allows, smaller where the table would be higher than the window;
  // where that does not help, long columns are pushed together.
  function measure() {
    const fans = longest();
    const width = stage.clientWidth;
    const most = heightThere();
    // A phone on its side has little height; scrolling would be worse than small cards.
    const slimmest = window.innerHeight < 480 ? SLIMMEST / 2 : SLIMMEST;
    let cardWidth = WIDEST;
    do {
      size = measured(width, cardWidth, fans);
      cardWidth = Math.min(cardWidth, size.w) - 2;
    } while (size.height > most && cardWidth >= slimmest);
    pushTogether(fans, most);
    stage.style.height = `${size.height}px`;
    stage.style.setProperty("--corner", `${Math.max(CORNER, size.w * 0.3)}px`);
    stage.classList.toggle("slim", size.w < 50);
    for (const element of [...cards, ...slots.filter(Boolean)]) {
      element.style.width = `${size.w}px`;
      element.style.height = `${size.h}px`;
    }
  }

  // Tables with columns have one band of them that is higher than others.
  function pushTogether(fans, most) {
    const excess = size.height - most;
    const high = Math.max(...piles.map((pile, i) => (pile.fan === "down" ? fans[i] : 0)));
    if (excess <= 0 || !high) return;
    const band = piles.find((pile, i) => pile.fan === "down" && fans[i] === high).band;
    // Less than this could not be read at all.
    const least = high * CORNER * 0.65;
    const kept = Math.max(high * size.down - excess, Math.min(least, high * size.down));
    const gained = high * size.down - kept;
    size.longest = kept;
    size.height -= gained;
    size.tops = size.tops.map((top, i) => (i > band ? top - gained : top));
  }

  function moveTo(element, x, y) {
    element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  // Drawing

  let now = 0;

  function draw() {
    piles.forEach((pile, number) => {
      const heap = positions[now][number];
      const x = size.left + pile.x * size.w;
      const y = size.tops[pile.band] + (pile.y || 0) * size.h;
      const places = pile.fan ? offsets(pile, heap) : [];
      const last = places[places.length - 1] || 1;
      const right = pile.fan === "right" ? size.right : 0;
      const down = pile.fan === "down" ? Math.min(size.down, size.longest / last) : 0;
      if (slots[number]) moveTo(slots[number], x, y);
      if (captions[number]) {
        moveTo(captions[number], x, y - CAPTION);
        captions[number].textContent =
          shown(pile.counted ? `${pile.caption} ${heap.ids.length}` : pile.caption);
      }
      heap.ids.forEach((id, i) => {
        const place = places[i] || 0;
        const card = cards[id];
        const isMoved = moved[now].has(id);
        moveTo(card, x + place * right, y + place * down);
        card.style.zIndex = String((isMoved ? 10000 : 0) + number * 60 + i);
        card.classList.toggle("down", i < heap.hidden);
        card.classList.toggle("moved", isMoved);
        card.classList.toggle("under", i < heap.ids.length - 1);
      });
    });
    if (byId("words").open) describe();
  }

  function describe() {
    const lines = piles.map((pile, number) => lineOf(pile, positions[now][number]));
    byId("words").querySelector("ul").replaceChildren(
      ...lines.filter(Boolean).map((line) => {
        const item = document.createElement("li");
        item.textContent = line;
        return item;
      }));
  }

  function lineOf(pile, { ids, hidden }) {
    if (!ids.length) return pile.bare ? "" : `${pile.name}: empty`;
    const names = ids.map((id) => nameOf(codes[id]));
    const open = names.slice(hidden);
    const covered = names.slice(0, hidden);
    const parts = [];
    if (hidden) {
      parts.push(ids.length === 1 ? "face down" : `${hidden} face down`);
      if (isRevealed && pile.fan) parts[0] += ` (${covered.join(", ")})`;
      else if (isRevealed) parts[0] += ` (from the top: ${covered.reverse().join(", ")})`;
    }
    if (pile.fan && !pile.last) parts.push(...open);
    else if (open.length) parts.push(`${open[open.length - 1]}${ids.length > 1 ? ` on top of ${ids.length - 1}` : ""}`);
    return `${pile.name}: ${parts.join(", ")}`;
  }

  // Moves

  const items = [...document.querySelectorAll("#moves li")];
  const words = items.map((item) => item.textContent.trim());
  const buttons = items.map((item, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.textContent = shown(words[i]);
    button.addEventListener("click", () => { pause(); show(i + 1); });
    item.replaceChildren(button);
    return button;
  });
  const total = steps.length;
  let timer = 0;

  function show(number) {
    const before = now;
    now = Math.min(Math.max(number, 0), total);
    // From far away cards would fly about.
    stage.classList.toggle("still", Math.abs(now - before) > 1);
    draw();
    if (!total) return;
    const head = now ? `Move ${now} of ${total}` : "The deal";
    let text = now ? `${words[now - 1]}.` : `${total} ${total === 1 ? "move" : "moves"} to come.`;
    if (now === total) text += ` ${ending}`;
    const label = document.createElement("span");
    label.textContent = `${head}: `;
    byId("move").replaceChildren(label, shown(text));
    byId("spoken").textContent = spelled(`${head}: ${text}`);
    byId("slider").value = String(now);
    byId("slider").setAttribute("aria-valuetext", spelled(`${head}: ${text}`));
    for (const name of ["start", "back"]) byId(name).setAttribute("aria-disabled", String(now === 0));
    for (const name of ["next", "end"]) byId(name).setAttribute("aria-disabled", String(now === total));
    mark(before, now);
  }

  // Suit symbols drawn as text: some systems would make coloured pictures of them.
  function shown(text) {
    return text.replace(/[♣♦♥♠]/g, "$&\ufe0e");
  }

  // Card names as they are spoken: 10♦ is the 10 of diamonds.
  function spelled(text) {
    return text.replace(/(10|[A2-9JQK])([♣♦♥♠])/g, (_, rank, symbol) =>
      nameOf(4 * RANKS.indexOf(rank) + SYMBOLS.indexOf(symbol)));
  }

  function mark(before, after) {
    const old = buttons[Math.max(before, 1) - 1];
    const present = buttons[Math.max(after, 1) - 1];
    old.removeAttribute("aria-current");
    old.tabIndex = -1;
    present.tabIndex = 0;
    const list = byId("moves");
    if (after) present.setAttribute("aria-current", "step");
    // Not scrollIntoView: that would move the whole page.
    const top = present.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + present.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  // Playing

  function pause() {
    clearTimeout(timer);
    timer = 0;
    byId("play").textContent = "Play";
    // Spoken again only when it stands: while it plays, the words would never keep up.
    byId("spoken").setAttribute("aria-live", "polite");
  }

  function play() {
    if (now === total) show(0);
    byId("play").textContent = "Pause";
    byId("spoken").setAttribute("aria-live", "off");
    timer = setTimeout(tick, PACE / 2);
  }

  function tick() {
    show(now + 1);
    if (now === total) pause();
    else timer = setTimeout(tick, PACE / Number(byId("speed").value));
  }

  function step(number) {
    pause();
    show(number);
  }

  function toggle() {
    if (timer) pause();
    else play();
  }

  function pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target;
    const actions = {
      ArrowLeft: () => step(now - 1),
      ArrowRight: () => step(now + 1),
      Home: () => step(0),
      End: () => step(total),
      " ": toggle,
    };
    const action = actions[event.key];
    // Elements that have a use of their own for these keys keep it.
    if (!action || target.matches("select")) return;
    if (event.key === " " && target.matches("button, summary, input[type=checkbox]")) return;
    event.preventDefault();
    action();
  }

  function walked(event) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    step(Math.max(1, now + way));
    buttons[now - 1].focus();
  }

  if (total) {
    // Not `disabled`: the button that has the focus would lose it.
    byId("start").addEventListener("click", () => step(0));
    byId("back").addEventListener("click", () => step(now - 1));
    byId("next").addEventListener("click", () => step(now + 1));
    byId("end").addEventListener("click", () => step(total));
    byId("play").addEventListener("click", toggle);
    byId("slider").addEventListener("input", (event) => step(Number(event.target.value)));
    byId("moves").addEventListener("keydown", walked);
    document.addEventListener("keydown", pressed);
  }
  byId("words").addEventListener("toggle", draw);
  byId("reveal").addEventListener("change", (event) => {
    isRevealed = event.target.checked;
    stage.classList.toggle("reveal", isRevealed);
    measure();
    draw();
  });
  new ResizeObserver(() => { measure(); draw(); }).observe(stage.parentElement);
  measure();
  show(0);
})();
