"""Trained weights of the network in `matches.brain.contact`: 4,163 weights, each a byte in units of 1/24.

They come from 830,000 games of self-play, TD(lambda) with decreasing lambda and learning rate, starting
from random weights. Most games had the usual start, some nackgammon or hypergammon, and of the last 310,000
a quarter began with one side bearing off against checkers left behind. No other program was used.
A row has one input's weights to all units; `contact` names the rows.
"""

from __future__ import annotations

from base64 import b85decode
from struct import unpack
from typing import Final

UNITS: Final = 20
# Eight rows for each of 24 points, eight for bar and off, four for threats.
INPUTS_READ: Final = 24 * 8 + 8 + 4
OUTPUTS_GIVEN: Final = 3
_ONE: Final = 24
_TEXT: Final = (
    "0si~|00;d51OWR50sR8+{s0O6`2qU<1q=KF2M6{D0Q>#>{{jpG2Lk;50t5RE2m1X14gLHD`~L#?5d-=C2?qZI3jp{B4gCT4_WlL<"
    "|K0BN2m1#80sa2&^!54y^ZW$@0=wAg4f7EF`T+Xs?CA9d<ns&q2kZ6j3Hu5C`~v>}_wV`y^7;Y_0{Hst2M`MT{0sRA^#Jw;`1uGD"
    "_W%C>{ssC00|ER60{sO1000L3_5b<)0SNy71_$>D|N8*{{QwC9`~&^|1q1vE1^xU13jY58{s9B~?FIS$1O@#O2mAO24*UW4`~L*?"
    "|K9HP2K)s60{{N+_4fM#^!o$?2*=p&4EhZE`~vsp@$2*k<?{~s1?%$l3I7QF`~v#;`1AV&@%#q~1@-so3=R(W`w{pB_WAP&@b?K1"
    "0sj5|{{#F400aF70Q>|1{{IC1`2YI;0tNsC1qt~H{rms~`v3<5{{sF00t5U90s#901^)j5{sIO31O@p10SEgH2mkp54*LE9{r&{@"
    "0psrW2K@p40ssE-_4oS$^!)<^1<}>-3;PNB0RQ^v^X>El=JX2l1MKqn2mS>8{sjB>`t<t(`1=M21^D>x2@4DO{0;d8^ZND(_xK46"
    "1OER000I020R;U90sI980RII2`vCd>00aa51qt~H{rmt5`u_$3{{j8~0t5X50|Wa61O5O4009O5`vv>{{|Ed41OE302>Jm7{Q(8{"
    "|L5=b2L1v60sj8;_4oY$^!@__{@B#<3H}EB0sZ{!_3!ln?Dq!p{_*np1O5a40R#Q_{Pp|;`TPV21oHUr4F(JP{txy6_V)J)^z{n~"
    "1pfa01OWT~0R{a90s9620sjO3{Qvp?{{jZ~1Pb{F`}_a~`Tqp~{s8{}00aL10|op90{#L4{{aO5{sa60{|Eg200j032m1j10RRU2"
    "0qXJh1pfj50sQ{;_4oY&_Wc6`0NvB{0RRO52mSr;_3!rv@c0Mu{qpnr0{sI10RsN{{Py|+`~Cw31oHRr3IYiE`wjK~_44-x^Y{w~"
    "1pNK{0RZ;_0R{d81NsF100031{Qmj>{Qw2>0ucNK`uPI-_5lL``~dy{00aK~1P1&B0{#I3000C3{R8{~{{;R11qJ#D1N{O10s;s6"
    "|L*Yj2L1f}0RH^>_V@k;|NjLE{@3H|3;P86{0aK?^6dNs_x%P01NZv%0t5j5{{{R4`}+L^{`vz0|NZ;>0R{m7{sI01{s8_0{`>?3"
    "{{a2~{s8^{{{#L50sRI6|Na60{Qvv|{`&y{0s{R6{{R63_WS|){{aC4{{a8}00RC40RRI7{r~~}0RjI4|Na000{j620Q~^}0RaE|"
    "0Pyqo1pfa20sa2@_xJt-`2YhB0p-~82m$#30sQ>&_3`%x_W1?>0Q>a&0RjI0{{j8}`}q3-`}zd}1o!s!2MPuG{tEd9_4fJ*_xK11"
    "{{Q{}{{Z~~{{sI50saR7{{8{~{Q&#}{`>v|1Oom80RRF8`TYR<{Q?34009320s{X70RR93{{R8~{sa93{{H<00sj940RIF7`vC#>"
    "0QB_u1OER2{{jB{`1k++{s03F1KsEH2LAl~{{j5_^zr)y`1%9_0`>U&0RaR3`vUz0`}+O_`uYL^1Ni{^1OWg50s{X8`uzO^{`~_4"
    "|Ns91{{R2{{{a930sjd9{`~;|0Rj94{`mm=0RaF30RjU6`27C+{{jI50sa610s#O6009C4{s8~{{{a960Q>y||Ns5~0sI310RsH}"
    "0QdI#1OEQ~0RH{^`1$_={s96E0_o@U2mkv1{{H*;_VfAz_Wc9_1NZs+0s#R100aF4`}+R>|NH^~|M~j;0|5j7{{{R8`~3a_{`~_2"
    "|NZ^}{{H^~{{R620RIR8|NZ~}{Q>?30rvk10{;R30Rsg7`1<_)0RjdB0RI32|NQ|2{{aF2{Qv*_{{sL9|NQ;`0R9300ssR400jE|"
    "0QmR&1OEO0|Ns8{`TG9?009CG0PgGd1pfE_008{@_w@S&{{I64|M>a+00IF0{{sC1{`>p_0R9341N{E}0|5g40tWm8{rvm_`}zX|"
    "|NQ^~|Na2}|Na62000O8|NZ{{{sI030P_I;0Q&>|0Rsg8`}+F)00IL80R8^}0RI630RaF200I8}{sH|4|N8#_|NQ>{0{;U40RjB|"
    "0sHy<1OEN{|Ns8{`}_X@{{aFE1Mu+p2mbr}00H~``1bt({{I640r>m<0RjK}{{j92{QUd@{r~>~0{#8~0s#K~009000sQ|0{r&?3"
    "0sQ^}|M~y{0Q>{}0RRaB|NZ^{{rvm_{qF$$0QUy;0{;d5{rmU){sjR7{`&s@{{I5`0002~0s;K|{sRC50sa2}0ssR50s{a3{saF2"
    "0sH#>1OEK~0sj8|`~3g_0s#RI{rB<u0{{2^0{r{``1$++1povG{{Z~{0tEg31ONR30R8*_1OEa6{rvU&0|xu}008?0`TF?-0R996"
    "0Q>&}|M>y_{`v#_009dC{`~y^1OEX8|L_0+1NR5{{{#mC`u6zy0RsgC{{8*{0RIC300IF5|Ni~^0s{vH{qp?>0Qd&}0s{j50{!{;"
    "0R8*^1O5L00RR8~{QUs`0RR9C1M>6y1N-~}0RaB}`1$+-1pfgB0{H#@0RaC00RjF3{rv#{0{;O40{;I0{s8{~{saF60ssF00RRC6"
    "0Q&y|{`mm||M~^{0RajD0{#2{{QUq0_wN7%0r(2@1OWg50{Qj){{;dC{rdj||NH~`1OWp51Ooj3{Q?01{{Q{~0R8~|{sI5}0{;E}"
    "0RaC00ss8~0ssI0|Nj300RR9A0{is-0R8&`0s#F1{QLd_1posD00RI20RjL30RjC10RH{|0ssL3|Nr^|1OEU20s#C1|NZ^~|NZ>}"
    "0Qvs`{`Ua@{`m&_0RapC0si{`|M~v}`|1Ax0QU><0|Nm30rm6x{sRO90Qmj`0{sN}0s#a30|NZ~{sIF8{QLX`0R95|0R#j90t5Z~"
    "0s;R20{;E|0s#O20ssI10RaCB1O4{^|NZ;-0Ra2~0Q~?02>${F{{sL300jR10RR30{{Q>|0{{U60Rj2}0RRC00|Wd5{r>&|{{8*{"
    "0Qdg_{`CO@0Qd*^0RjyF1OEB{{`LR`_~rfq1NIH=0RsU42>9~({RIL9{rLL=0{jK|0|Eg51Oog200RR9|NH&}0s8{{1Ofy91p)p1"
    "0s;U50{;C20|Ed40|5X30ssFA|Nr{|0{r|01OWU20{{O22>$^D0R#U5{{jF1009000ss8}0ssL5{r~&|0RaF00s;I0|NZ{}{s8;}"
    "0r>v{{_+3;0Qm{_0|E>H0{`{^{Q3U`_~!cq1NRT%2Lk~72>kK-{{;jD`uY3<0Q?5`1Ofv82Lk#000IL80RQ^||NjL00s;g80tEm4"
    "0|Nj80{;H~0|Ed51OWj40{;F91p@p80{i{^1p)p51Ofm23H|>A0|Nj8009900|5U40s;O10ssI30tEj80{sE}0ssC400Q{_2K@j8"
    "0QCO>{qg_-0rv{?{{jyF1^@N`|Lp+;_S5?R{`C*%{sjH{2>9^#0R935{`30*0sIF10|Wv92LJf`{09sO`T6<?|Md#_3JC}J3JCZ4"
    "0s{d80{#C11Ofm61Ofp60ssC81q1yA0sH;_1^@p41p@#63jqHD0t5d70RaC31ONU30s{X20{;L500aI3{{H~|{{a61{r~&{0{{I1"
    "0Q3F>`|tk*{`Ly+0Rjd50{`~?0rC0;_~85p1M(Ev4+R4J3I*-^{R9OB{rUX^|M?5_2m}HB1_k>4009I80R8>{0sRE~0|Ep80s{d5"
    "{sRI70sR5~0s{j60|Nm80RH?00|WpC0r&z91^oj569Wka3J3TC0|WyE0R8_11Ofp72Lu2B0{{I21PBEO0r~*}{{#O71_=8D|NZ>|"
    "{_g++{P6w)2K5T={{#mA2><u}0_gw(|IGOS`}Pjq{sry(5e4t|1Ni*|{`39<0Q(2>1Oo&A1_Jf_`~w3G`T6+?0`?E`4GjnT4GQ!2"
    "{{;aA{rv$22LA&81Ox;B{{8$00|o*I0Qdh10Q>>~3kC=K2?zTC0t5pD0R8|00s;X61_S^A0ss910|y8T0{Z|1{RRL80|@&90sQ*`"
    "0Pp_-`tbe%1oR8*{{sg73I6u|1Lpk$_RskQ|Mn5r{{`;>6bJ700`>m|{qp<+0R0E?1qKED2Ltr|`~(LJ`1<z?|Md{{4-E<W2oCr4"
    "{{{gB0Q~{|0{#O31O)>6{rvm|1P25N0Qmm`0Q~|13kL`H2L$^70R#gD{`~;|0RsU61P1>A0sj2~1qBES0s8>}`v(FA{08^@1O55}"
    "0PX$)`S1P$1N98%00Rd83jg)|`{DWq^wIYQ0rL~k01EH@91H9A{Ph0``1AY(0{RH+1_=fH2n6%}{Rs{V`1|_`0rC;~4h;?Z2@Cu9"
    "0R{sE0sR5{1pWg50|o;B0Q>v}2nYrU{`mm=|Na933kV1O1_As50RjXC{`>*_{{;d900#X41O5H~`~n6D0Qmp)`3?gF{{{8_1N`~_"
    "0_*+*`SAP$0rd^v0R;p83Ip@}_ucsl^VRkR1n(5Y1P}H39S!OC`}qM0_VfG%0{IQ>1_}uK4F~c4{R|Nd`1|$?0`wO45e^Ue3=aJF"
    "3kC!Q0{j8~{s0000SEsE{`ma_3I_-Y|M&p_{s0332?_-Q1poU01pxyE`~3m;`w0RA`~&*}1O5H~69okc{P_Rx`w#;K`vmn01poU1"
    "0P6e$_wW1z{`C;q00ja53kC4~0ORom^VRhP1?wEN0Sou}9unpG`~Lj~_4WG&1^5%~1qKTF3J34}{|yue`uh3@|MnC53JVbX1_=T9"
    "00ssI|N8>}|NjC00Sf;T|M~p_1qTWW`}qR@{s9C72@C`V1O5B|`2Yh1{rmv){0;&E`2zR+2>ty1@CF77`1t<#`ws&H0R{I92m$;7"
    "1LObz^zZ!z`Rx<j_W>376$<V6{qhF?@b3Qx2=f{B1Og8I8W8UG|KRcP3H}HG`}_Ut?(p{m@%jcC1n%tV4gn1T{Qd&??d<ph@BRP|"
    "0q+I_1ph|!3^lv&55o5N0vg9~8u856GA%IZ=sd<m;NRjQ*8Dm;{q6oo@(C9T1Ofo@Ce3UA|3$jh=RYzx-NpDR3g;>EKP@-!B0b^H"
    "2KD~@0{j932>$;B^!*6^2Ll8G0r&d;{_pe#1^N=j`2!5~4-V`C{{#{Y^90xd`V0R12nPT65e4<@`|$|?3JeAN0}1;34)p{C_S*ph"
    "0uJr&0r&I<_x1<)^9jfT^zahf`}p1z4JZ!%0SFWd_wxA#`}7V6{^RA}{Tc)Q{s{{I{uuiK{pb!80sj{E|LN!h`1~T>3Jehb0|FWP"
    "3AV5"
)


def _decode_rows() -> list[tuple[float, ...]]:
    data = b85decode(_TEXT)
    numbers = [each / _ONE for each in unpack(f"<{len(data)}b", data)]
    return [tuple(numbers[first : first + UNITS]) for first in range(0, len(numbers), UNITS)]


_ROWS: Final = _decode_rows()
INPUTS: Final = _ROWS[:INPUTS_READ]
BIAS: Final = _ROWS[INPUTS_READ]
OUTPUTS: Final = _ROWS[INPUTS_READ + 1 :][:OUTPUTS_GIVEN]
OUTPUT_BIAS: Final = _ROWS[-1]
