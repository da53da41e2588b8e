<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ChildSetup</name>
    <message>
        <source>its parent had ended</source>
        <translation>其父进程已结束</translation>
    </message>
    <message>
        <source>cannot change to user %1, group %2: %3</source>
        <translation>无法切换到用户 %1、组 %2：%3</translation>
    </message>
</context>
<context>
    <name>JournalEvent</name>
    <message>
        <source>The journal entry names no event that is known here.</source>
        <translation>日志条目中的事件在此版本中未知。</translation>
    </message>
    <message>
        <source>The journal entry names no slot.</source>
        <translation>日志条目没有指明题目与轮次。</translation>
    </message>
    <message>
        <source>The journal entry has no outcome.</source>
        <translation>日志条目没有结果。</translation>
    </message>
</context>
<context>
    <name>Json</name>
    <message>
        <source>This is not a JSON object.</source>
        <translation>这不是 JSON 对象。</translation>
    </message>
    <message>
        <source>This is not valid JSON: %1</source>
        <translation>这不是有效的 JSON：%1</translation>
    </message>
</context>
<context>
    <name>OutputFile</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>%1 was full; %2 bytes are missing at its end</source>
        <translation>%1 空间已满；末尾缺少 %2 字节</translation>
    </message>
</context>
<context>
    <name>OwnedFolder</name>
    <message>
        <source>A temporary folder cannot be made: %1</source>
        <translation>无法创建临时文件夹：%1</translation>
    </message>
    <message>
        <source>A temporary file cannot be written: %1</source>
        <translation>无法写入临时文件：%1</translation>
    </message>
</context>
<context>
    <name>ProcessEnd</name>
    <message>
        <source>%1 was killed by signal %2 (%3).</source>
        <translation>%1 被信号 %2（%3）终止。</translation>
    </message>
    <message>
        <source>%1 finished.</source>
        <translation>%1 已结束。</translation>
    </message>
    <message>
        <source>%1 finished with exit code %2.</source>
        <translation>%1 已结束，退出码为 %2。</translation>
    </message>
    <message>
        <source>%1 could not be ended and still runs.</source>
        <translation>%1 无法结束，仍在运行。</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>%1 无法启动：%2</translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation>%1 已停止。</translation>
    </message>
    <message>
        <source>%1 was stopped: %2</source>
        <translation>%1 已停止：%2</translation>
    </message>
    <message>
        <source>%1 was stopped at its time limit, after %2 s.</source>
        <translation>%1 运行 %2 秒后达到时限，已停止。</translation>
    </message>
</context>
<context>
    <name>Reaper</name>
    <message>
        <source>%1 was left by an earlier run and cannot be removed.</source>
        <translation>%1 是之前的运行留下的，无法删除。</translation>
    </message>
</context>
<context>
    <name>Result</name>
    <message>
        <source>invalid reward: %1</source>
        <translation>无效的得分：%1</translation>
    </message>
    <message>
        <source>The record has no instance_id.</source>
        <translation>记录中没有 instance_id。</translation>
    </message>
</context>
<context>
    <name>ResultStore</name>
    <message>
        <source>The file cannot be read: %1</source>
        <translation>无法读取文件：%1</translation>
    </message>
    <message>
        <source>No results found at %1</source>
        <translation>在 %1 没有找到结果</translation>
    </message>
    <message>
        <source>The last entry was only half written and is left out.</source>
        <translation>最后一条只写了一半，已略过。</translation>
    </message>
    <message>
        <source>The journal cannot be written: %1. What it holds is safe; make room or the right to write, then start again.</source>
        <translation>无法写入日志：%1。已有内容是安全的；请腾出空间或取得写权限，然后重新开始。</translation>
    </message>
    <message>
        <source>These results were written by a newer Proctor (schema version %1, this one knows %2). They are shown read-only and may be incomplete.</source>
        <translation>这些结果由更新版本的 Proctor 写成（格式版本 %1，本版本支持 %2）。结果以只读方式显示，可能不完整。</translation>
    </message>
    <message>
        <source>No results found at %1: it holds no scores.jsonl.</source>
        <translation>在 %1 没有找到结果：其中没有 scores.jsonl。</translation>
    </message>
    <message>
        <source>The results folder cannot be made. Is there room on the disk and the right to write?</source>
        <translation>无法创建结果文件夹。磁盘是否有空间，是否有写权限？</translation>
    </message>
    <message>
        <source>These results were written by a newer Proctor (schema version %1, this one knows %2), so nothing is added to them. Use the newer Proctor or another folder.</source>
        <translation>这些结果由更新版本的 Proctor 写成（格式版本 %1，本版本支持 %2），因此不会向其中添加内容。请使用更新的 Proctor 或另选文件夹。</translation>
    </message>
    <message>
        <source>This folder holds results of which nothing says with what they were made. Adopt them (--adopt) if they belong to this exam, or choose another folder.</source>
        <translation>此文件夹中的结果没有说明是如何得到的。如果它们属于本次考试，请接管（--adopt），否则请另选文件夹。</translation>
    </message>
    <message>
        <source>This folder holds the results of another exam (%1). Choose another folder, or put both into one with --mix.</source>
        <translation>此文件夹中是另一场考试的结果（%1）。请另选文件夹，或用 --mix 将两者合在一起。</translation>
    </message>
    <message>
        <source>Proctor ended while the attempt was in the phase &apos;%1&apos;.</source>
        <translation>Proctor 在作答处于“%1”阶段时退出。</translation>
    </message>
    <message>
        <source>%1, attempt %2: %3 It counts as lost.</source>
        <translation>%1，第 %2 次作答：%3 记为丢失。</translation>
    </message>
    <message>
        <source>The results were written by a newer Proctor, so nothing is changed there.</source>
        <translation>这些结果由更新版本的 Proctor 写成，因此不作任何改动。</translation>
    </message>
    <message>
        <source>The results folder is open for looking only.</source>
        <translation>结果文件夹以只读方式打开。</translation>
    </message>
    <message>
        <source>The folder cannot be made. Is there room on the disk and the right to write?</source>
        <translation>无法创建文件夹。磁盘是否有空间，是否有写权限？</translation>
    </message>
    <message>
        <source>The results folder was opened for a single run, so run %1 has no place in it.</source>
        <translation>结果文件夹是按单轮打开的，因此没有第 %1 轮的位置。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made. Is there room on the disk and the right to write?</source>
        <translation>无法创建文件夹 %1。磁盘是否有空间，是否有写权限？</translation>
    </message>
    <message>
        <source>%1 cannot be moved to %2: %3</source>
        <translation>无法将 %1 移到 %2：%3</translation>
    </message>
    <message>
        <source>This is not a file. Move it away and try again.</source>
        <translation>这不是文件。请将其移走后重试。</translation>
    </message>
    <message>
        <source>The journal was removed while the run was writing to it. The run ends here; start it again in a folder that stays.</source>
        <translation>运行写入日志时，日志文件被删除。运行到此结束；请在不会被删除的文件夹中重新开始。</translation>
    </message>
</context>
<context>
    <name>RunIdentity</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1: %2 here, %3 in the configuration</source>
        <translation>%1：此处为 %2，配置中为 %3</translation>
    </message>
    <message>
        <source>it holds no object</source>
        <translation>其中没有对象</translation>
    </message>
    <message>
        <source>The identity of the run cannot be read: %1. Put the file right, or move it away and adopt the folder.</source>
        <translation>无法读取运行的标识：%1。请修正该文件，或将其移走后接管此文件夹。</translation>
    </message>
</context>
<context>
    <name>RunLock</name>
    <message>
        <source>process %1 on this machine</source>
        <translation>本机上的进程 %1</translation>
    </message>
    <message>
        <source>process %1 on the machine with the id %2, until %3 at least</source>
        <translation>标识为 %2 的机器上的进程 %1，至少到 %3</translation>
    </message>
    <message>
        <source>The results folder cannot be locked for writing: %1.</source>
        <translation>无法锁定结果文件夹以写入：%1。</translation>
    </message>
    <message>
        <source>This run has lost its results folder to %1 because it did not renew its lease in time. It writes no more there.</source>
        <translation>本次运行没有及时续约，结果文件夹已被 %1 取得。本次运行不再向其中写入。</translation>
    </message>
    <message>
        <source>Another run is writing to this results folder: %1. Wait for it to end, or choose another folder.</source>
        <translation>另一次运行正在写入此结果文件夹：%1。请等它结束，或另选文件夹。</translation>
    </message>
</context>
<context>
    <name>SaveFile</name>
    <message>
        <source>The file cannot be written: %1. What it held before is unchanged.</source>
        <translation>无法写入文件：%1。原有内容未变。</translation>
    </message>
</context>
<context>
    <name>proctor</name>
    <message>
        <source>The dataset %1 is on the Hub, and this version of Proctor reads local files only: name one with dataset.path</source>
        <translation>数据集 %1 在 Hub 上，而此版本的 Proctor 只读取本地文件：请用 dataset.path 指定</translation>
    </message>
    <message>
        <source>The instance names no bundle, and the local sandbox needs one: add a column “bundle” to the dataset</source>
        <translation>该题目没有指定任务包，而本地沙箱需要它：请在数据集中添加“bundle”列</translation>
    </message>
    <message>
        <source>There is no bundle folder %1</source>
        <translation>没有任务包文件夹 %1</translation>
    </message>
    <message>
        <source>The verifier left the reward file empty</source>
        <translation>判分程序留下的得分文件为空</translation>
    </message>
    <message>
        <source>The verifier&apos;s reward %1 is no decimal number</source>
        <translation>判分程序给出的得分 %1 不是十进制数</translation>
    </message>
    <message>
        <source>The verifier&apos;s reward %1 is not between 0 and 1</source>
        <translation>判分程序给出的得分 %1 不在 0 到 1 之间</translation>
    </message>
    <message>
        <source>the program “%1” is not in the PATH</source>
        <translation>PATH 中没有程序“%1”</translation>
    </message>
    <message>
        <source>the program %1 does not exist</source>
        <translation>程序 %1 不存在</translation>
    </message>
    <message>
        <source>%1 is not an executable file</source>
        <translation>%1 不是可执行文件</translation>
    </message>
    <message>
        <source>The built-in agent calls a model, and the local sandbox has no network: use the Docker sandbox (runner.sandbox), or set agent.cmd to a command in the bundle</source>
        <translation>内置智能体需要调用模型，而本地沙箱没有网络：请改用 Docker 沙箱（runner.sandbox），或将 agent.cmd 设为任务包中的命令</translation>
    </message>
    <message>
        <source>The built-in agent calls a model, and docker.network is none: set it to bridge</source>
        <translation>内置智能体需要调用模型，而 docker.network 为 none：请将其设为 bridge</translation>
    </message>
</context>
<context>
    <name>proctor::AgentManifest</name>
    <message>
        <source>The task&apos;s %1 is not valid JSON: %2 (at byte %3)</source>
        <translation>题目的 %1 不是有效的 JSON：%2（第 %3 字节）</translation>
    </message>
    <message>
        <source>The task&apos;s tool_defs.json is not a list with at least one tool, which an agent on the host needs</source>
        <translation>题目的 tool_defs.json 不是至少含一个工具的列表，而主机上的智能体需要它</translation>
    </message>
    <message>
        <source>The task&apos;s %1 is nested more than %2 levels deep</source>
        <translation>任务的 %1 嵌套超过 %2 层</translation>
    </message>
</context>
<context>
    <name>proctor::AgentOutputs</name>
    <message>
        <source>Cannot remove what an earlier attempt left: %1</source>
        <translation>无法删除先前尝试留下的内容：%1</translation>
    </message>
    <message>
        <source>is a symbolic link</source>
        <translation>是符号链接</translation>
    </message>
    <message>
        <source>is a folder</source>
        <translation>是文件夹</translation>
    </message>
    <message>
        <source>is no regular file</source>
        <translation>不是普通文件</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>lies below a link or a file</source>
        <translation>位于链接或文件之下</translation>
    </message>
    <message>
        <source>cannot be read (%1)</source>
        <translation>无法读取（%1）</translation>
    </message>
    <message>
        <source>is larger than %1 MB</source>
        <translation>大于 %1 MB</translation>
    </message>
    <message>
        <source>The agent&apos;s outputs are not as required: %1</source>
        <translation>智能体的输出不符合要求：%1</translation>
    </message>
    <message>
        <source>cannot be copied (%1)</source>
        <translation>无法复制（%1）</translation>
    </message>
</context>
<context>
    <name>proctor::AgentPreflight</name>
    <message>
        <source>%1: bubblewrap is not installed: there is no bwrap in the PATH</source>
        <translation>%1：未安装 bubblewrap：PATH 中没有 bwrap</translation>
    </message>
    <message>
        <source>%1: bubblewrap does not work on this machine: %2</source>
        <translation>%1：bubblewrap 在此计算机上无法工作：%2</translation>
    </message>
    <message>
        <source>agents.%1.command: %2 has no module “%3”; install it for this Python, or name the Python that has it</source>
        <translation>agents.%1.command：%2 没有模块“%3”；请为此 Python 安装它，或指定装有它的 Python</translation>
    </message>
    <message>
        <source>. Proctor&apos;s own agent does the same: command: proctor agent --context {context}</source>
        <translation>。Proctor 自带的智能体可以完成同样的工作：command: proctor agent --context {context}</translation>
    </message>
</context>
<context>
    <name>proctor::AgentRegistrationReader</name>
    <message>
        <source>%1 &apos;%2&apos; is not supported; there is only &apos;%3&apos;</source>
        <translation>不支持 %1 为“%2”；只有“%3”</translation>
    </message>
    <message>
        <source>%1 is missing: the command that starts the agent</source>
        <translation>缺少 %1：启动智能体的命令</translation>
    </message>
    <message>
        <source>%1 cannot be split into words: %2</source>
        <translation>无法将 %1 拆分为单词：%2</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 为空</translation>
    </message>
    <message>
        <source>a text or a list of texts</source>
        <translation>一段文本或文本列表</translation>
    </message>
    <message>
        <source>%1 names no program: its first word is empty</source>
        <translation>%1 没有指明程序：第一个词为空</translation>
    </message>
    <message>
        <source>%1 contains a NUL character</source>
        <translation>%1 含有 NUL 字符</translation>
    </message>
    <message>
        <source>the agent&apos;s working folder %1 does not exist</source>
        <translation>智能体的工作文件夹 %1 不存在</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in %2 is no name of a variable (letters, digits and &apos;_&apos;)</source>
        <translation>%2 中的“%1”不是变量名（字母、数字和“_”）</translation>
    </message>
</context>
<context>
    <name>proctor::AttemptRun</name>
    <message>
        <source>Cannot write the attempt&apos;s files: %1</source>
        <translation>无法写入作答的文件：%1</translation>
    </message>
    <message>
        <source>The verifier took longer than its %1 s</source>
        <translation>判分程序超过了 %1 秒的时限</translation>
    </message>
    <message>
        <source>The verifier wrote no reward</source>
        <translation>判分程序没有写出得分</translation>
    </message>
    <message>
        <source>The verifier ended with %1 and wrote no reward</source>
        <translation>判分程序以%1结束，没有写出得分</translation>
    </message>
    <message>
        <source>The agent took longer than its %1 s</source>
        <translation>智能体超过了 %1 秒的时限</translation>
    </message>
    <message>
        <source>The agent ended with %1</source>
        <translation>智能体以%1结束</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Proctor failed: %1</source>
        <translation>Proctor 出错：%1</translation>
    </message>
    <message>
        <source>The sandbox broke down while the agent ran: %1</source>
        <translation>智能体运行时沙箱崩溃：%1</translation>
    </message>
    <message>
        <source>%1, its memory having run out</source>
        <translation>%1，内存已耗尽</translation>
    </message>
    <message>
        <source>The sandbox broke down while the verifier ran: %1</source>
        <translation>沙箱在评分程序运行时崩溃：%1</translation>
    </message>
</context>
<context>
    <name>proctor::BoundedLog</name>
    <message>
        <source>Cannot rename %1</source>
        <translation>无法重命名 %1</translation>
    </message>
</context>
<context>
    <name>proctor::Bridge</name>
    <message>
        <source>The bridge was given up</source>
        <translation>桥接已被放弃</translation>
    </message>
    <message>
        <source>The sandbox did not start in time</source>
        <translation>沙箱没有按时启动</translation>
    </message>
    <message>
        <source>The sandbox speaks another version of the protocol</source>
        <translation>沙箱使用另一版本的协议</translation>
    </message>
    <message>
        <source>The sandbox was not set up in time</source>
        <translation>沙箱没有按时准备好</translation>
    </message>
    <message>
        <source>Cannot read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>A process in the sandbox could not be ended</source>
        <translation>沙箱中有一个进程无法结束</translation>
    </message>
    <message>
        <source>The sandbox did not keep its time limit</source>
        <translation>沙箱没有遵守时限</translation>
    </message>
    <message>
        <source>The sandbox did not leave in time</source>
        <translation>沙箱没有按时退出</translation>
    </message>
    <message>
        <source>The sandbox did not answer in time</source>
        <translation>沙箱没有按时应答</translation>
    </message>
    <message>
        <source>The sandbox sent a line that is longer than the protocol allows</source>
        <translation>沙箱发来的一行超过了协议允许的长度</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>信号 %1</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>The sandbox did not leave by itself</source>
        <translation>沙箱没有自行退出</translation>
    </message>
    <message>
        <source>The sandbox takes no more input</source>
        <translation>沙箱不再接收输入</translation>
    </message>
    <message>
        <source>The sandbox has not answered for %1 s</source>
        <translation>沙箱已有 %1 秒没有响应</translation>
    </message>
    <message>
        <source>The sandbox was told from outside to end</source>
        <translation>沙箱被外部要求结束</translation>
    </message>
    <message>
        <source>The sandbox heard nothing from Proctor for too long</source>
        <translation>沙箱太久没有收到 Proctor 的消息</translation>
    </message>
    <message>
        <source>The sandbox reached the age at which it ends itself</source>
        <translation>沙箱已到达其自行结束的时限</translation>
    </message>
</context>
<context>
    <name>proctor::BridgeToolCalls</name>
    <message>
        <source>A tool in the sandbox could not be ended</source>
        <translation>无法结束沙箱中的一个工具</translation>
    </message>
</context>
<context>
    <name>proctor::BundleReader</name>
    <message>
        <source>The bundle&apos;s link %1 leads out of the bundle or nowhere; put the file itself there</source>
        <translation>任务包中的链接 %1 指向包外或不存在的位置；请放入文件本身</translation>
    </message>
    <message>
        <source>The bundle %1 is too deep or has too many files</source>
        <translation>任务包 %1 层次过深或文件过多</translation>
    </message>
    <message>
        <source>The bundle&apos;s %1 is neither a file nor a folder</source>
        <translation>任务包中的 %1 既不是文件也不是文件夹</translation>
    </message>
</context>
<context>
    <name>proctor::CommandTemplate</name>
    <message>
        <source>unknown placeholder &apos;{%1}&apos; in &apos;%2&apos;; </source>
        <translation>“%2”中有未知的占位符“{%1}”；</translation>
    </message>
    <message>
        <source>did you mean &apos;{%1}&apos;?</source>
        <translation>是否想写“{%1}”？</translation>
    </message>
    <message>
        <source>there are {%1}</source>
        <translation>可用的有 {%1}</translation>
    </message>
    <message>
        <source>the placeholder &apos;{%1}&apos; in &apos;%2&apos; cannot use formatting</source>
        <translation>“%2”中的占位符“{%1}”不能带格式</translation>
    </message>
    <message>
        <source>a brace in &apos;%1&apos; has no partner; write {{ or }} to mean the character</source>
        <translation>“%1”中的花括号不成对；要表示该字符请写 {{ 或 }}</translation>
    </message>
</context>
<context>
    <name>proctor::ConfigSection</name>
    <message>
        <source>a mapping</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>a yes/no value</source>
        <translation>是/否值</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>%1 must be %2, but it is %3</source>
        <translation>%1 必须是%2，但它是%3</translation>
    </message>
    <message>
        <source> (YAML 1.1 wants a dot and a sign in 1.0e+3)</source>
        <translation>（YAML 1.1 要求写成带小数点和符号的 1.0e+3）</translation>
    </message>
    <message>
        <source> (write it without quotes)</source>
        <translation>（请不要加引号）</translation>
    </message>
    <message>
        <source>text, here in quotes</source>
        <translation>文本，此处须加引号</translation>
    </message>
    <message>
        <source>%1 contains a NUL character</source>
        <translation>%1 含有 NUL 字符</translation>
    </message>
    <message>
        <source>%1 must not be empty</source>
        <translation>%1 不能为空</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation>大于 0 的数字</translation>
    </message>
    <message>
        <source>%1 must be a number above 0, but it is %2</source>
        <translation>%1 必须是大于 0 的数字，但它是 %2</translation>
    </message>
    <message>
        <source>%1 is cut to %2 seconds</source>
        <translation>%1 取整为 %2 秒</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>%1 must be at least %2, but it is %3</source>
        <translation>%1 至少为 %2，但它是 %3</translation>
    </message>
    <message>
        <source>%1 must be at most %2, but it is %3</source>
        <translation>%1 至多为 %2，但它是 %3</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本列表</translation>
    </message>
    <message>
        <source>a list of texts (put others in quotes)</source>
        <translation>文本列表（其他值请加引号）</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>%1 must be %2, but it is &apos;%3&apos;</source>
        <translation>%1 必须是 %2，但它是“%3”</translation>
    </message>
    <message>
        <source>the key &apos;%1&apos; is not known and has no effect</source>
        <translation>未知的键“%1”，不起作用</translation>
    </message>
    <message>
        <source>; did you mean &apos;%1&apos;?</source>
        <translation>；是否想写“%1”？</translation>
    </message>
    <message>
        <source>; there is a &apos;%1.%2&apos;</source>
        <translation>；有“%1.%2”</translation>
    </message>
</context>
<context>
    <name>proctor::ConfigSections</name>
    <message>
        <source>%1 &apos;%2&apos; cannot name a results folder: %3</source>
        <translation>%1“%2”不能作为结果文件夹的名称：%3</translation>
    </message>
    <message>
        <source>%1 must be bridge, none or the name of a network</source>
        <translation>%1 必须是 bridge、none 或网络名称</translation>
    </message>
    <message>
        <source>a size with its unit, like 512m or 4g</source>
        <translation>带单位的大小，如 512m 或 4g</translation>
    </message>
    <message>
        <source>%1 is less than the 6m that a container needs</source>
        <translation>%1 小于容器所需的 6m</translation>
    </message>
    <message>
        <source>%1 must be %2, but it is &apos;%3&apos;</source>
        <translation>%1 必须是 %2，但它是“%3”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in %2 is no pattern for paths below /app; write it without a leading &apos;/&apos; and without &apos;..&apos;</source>
        <translation>%2 中的“%1”不是 /app 下的路径模式；请不要以“/”开头，也不要使用“..”</translation>
    </message>
    <message>
        <source>a text or a list of texts</source>
        <translation>一段文本或文本列表</translation>
    </message>
    <message>
        <source>%1 is no longer supported; register your agent under &apos;agents&apos; and select it with agent.name or --agent</source>
        <translation>不再支持 %1；请在“agents”下注册智能体，并用 agent.name 或 --agent 选择</translation>
    </message>
</context>
<context>
    <name>proctor::Dataset</name>
    <message>
        <source>row %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>this dataset holds no instances</source>
        <translation>此数据集中没有题目</translation>
    </message>
    <message>
        <source>the column &apos;%1&apos; is missing; there are: %2</source>
        <translation>缺少列“%1”；现有：%2</translation>
    </message>
    <message>
        <source>this row has no instance_id</source>
        <translation>此行没有 instance_id</translation>
    </message>
    <message>
        <source>the instance_id is neither text nor a whole number</source>
        <translation>instance_id 既不是文本也不是整数</translation>
    </message>
    <message>
        <source>the instance_id &apos;%1&apos; cannot be used: %2</source>
        <translation>instance_id“%1”不可用：%2</translation>
    </message>
    <message>
        <source>the instance_id &apos;%1&apos; is already used in row %2</source>
        <translation>instance_id“%1”已在第 %2 行使用</translation>
    </message>
    <message numerus="yes">
        <source>%n more row(s) have problems</source>
        <translation>
            <numerusform>另有 %n 行有问题</numerusform>
        </translation>
    </message>
    <message>
        <source>there is no such dataset file</source>
        <translation>没有这个数据集文件</translation>
    </message>
    <message>
        <source>a dataset is a file that ends in .jsonl, .json or .csv</source>
        <translation>数据集是以 .jsonl、.json 或 .csv 结尾的文件</translation>
    </message>
    <message>
        <source>the dataset cannot be read (%1)</source>
        <translation>无法读取数据集（%1）</translation>
    </message>
    <message>
        <source>the instance &apos;%1&apos; has no docker_image</source>
        <translation>题目“%1”没有 docker_image</translation>
    </message>
    <message>
        <source>the instance &apos;%1&apos; has no bundle: no column &apos;bundle&apos; and no folder of its name beside the dataset</source>
        <translation>题目“%1”没有任务包：没有“bundle”列，数据集旁也没有同名文件夹</translation>
    </message>
    <message>
        <source>the bundle folder %1 of the instance &apos;%2&apos; does not exist</source>
        <translation>题目“%2”的任务包文件夹 %1 不存在</translation>
    </message>
    <message>
        <source>“%1” cannot name an image (instance &apos;%2&apos;)</source>
        <translation>“%1”不能作为镜像名（实例“%2”）</translation>
    </message>
</context>
<context>
    <name>proctor::DatasetRows</name>
    <message>
        <source>this row is left out: it is not JSON (%1)</source>
        <translation>此行已略过：不是 JSON（%1）</translation>
    </message>
    <message>
        <source>this row is left out: it is no JSON object</source>
        <translation>此行已略过：不是 JSON 对象</translation>
    </message>
    <message>
        <source>a second JSON value begins here; a file with one object a line is named .jsonl</source>
        <translation>第二个 JSON 值从这里开始；每行一个对象的文件应命名为 .jsonl</translation>
    </message>
    <message>
        <source>this is not JSON (%1)</source>
        <translation>这不是 JSON（%1）</translation>
    </message>
    <message>
        <source>a .json dataset is an array of objects</source>
        <translation>.json 数据集是对象数组</translation>
    </message>
    <message>
        <source>row %1 is left out: it is no JSON object</source>
        <translation>第 %1 行已略过：不是 JSON 对象</translation>
    </message>
    <message>
        <source>a quotation in it does not end</source>
        <translation>其中的引号没有闭合</translation>
    </message>
    <message>
        <source>text follows a closing quotation mark</source>
        <translation>闭合引号后还有文本</translation>
    </message>
    <message>
        <source>it has %1 fields, but the header has %2</source>
        <translation>它有 %1 个字段，而表头有 %2 个</translation>
    </message>
    <message>
        <source>it is not encoded in UTF-8</source>
        <translation>编码不是 UTF-8</translation>
    </message>
    <message>
        <source>the header cannot be read: %1</source>
        <translation>无法读取表头：%1</translation>
    </message>
    <message>
        <source>the header names a column twice</source>
        <translation>表头中有重复的列</translation>
    </message>
    <message>
        <source>this row is left out: %1</source>
        <translation>此行已略过：%1</translation>
    </message>
</context>
<context>
    <name>proctor::DemoExam</name>
    <message>
        <source>The demo exam is not installed: there is no %1. Install Proctor again, or run it from its build folder</source>
        <translation>演示考试没有安装：找不到 %1。请重新安装 Proctor，或从构建文件夹运行它</translation>
    </message>
</context>
<context>
    <name>proctor::DockerSandbox</name>
    <message>
        <source>“%1” cannot name an image</source>
        <translation>“%1”不能作为镜像名称</translation>
    </message>
    <message>
        <source>The engine does not answer any more: %1</source>
        <translation>容器引擎不再响应：%1</translation>
    </message>
    <message>
        <source>Somebody outside ended the container (%1)</source>
        <translation>容器被外部结束（%1）</translation>
    </message>
    <message>
        <source>The container was ended because its memory (%1) ran out</source>
        <translation>容器因内存（%1）耗尽而被结束</translation>
    </message>
    <message numerus="yes">
        <source>Removed %n container(s) that a Proctor left which ended unexpectedly</source>
        <translation>
            <numerusform>已删除 %n 个由意外终止的 Proctor 遗留的容器</numerusform>
        </translation>
    </message>
    <message>
        <source>it says nothing of itself</source>
        <translation>它没有说明自身信息</translation>
    </message>
    <message>
        <source>it runs containers of %1, and task images are made for Linux</source>
        <translation>它运行的是 %1 容器，而任务镜像是为 Linux 制作的</translation>
    </message>
    <message>
        <source>The images are made for %1 and the engine&apos;s processor is %2: they run by emulation, if at all, and slowly; time limits may be too short</source>
        <translation>镜像是为 %1 制作的，而引擎的处理器是 %2：只能靠模拟运行（如果能运行），而且很慢；时间限制可能过短</translation>
    </message>
    <message>
        <source>The engine cannot limit memory: docker.memory has no effect</source>
        <translation>引擎无法限制内存：docker.memory 不起作用</translation>
    </message>
    <message>
        <source>The engine cannot limit processes: docker.pids has no effect</source>
        <translation>引擎无法限制进程数：docker.pids 不起作用</translation>
    </message>
    <message>
        <source>The engine cannot limit processor time: docker.cpus has no effect</source>
        <translation>引擎无法限制处理器时间：docker.cpus 不起作用</translation>
    </message>
    <message>
        <source>The engine&apos;s storage driver (%1 on %2) most likely cannot limit disk space: with docker.disk containers may not start</source>
        <translation>引擎的存储驱动（%2 上的 %1）很可能无法限制磁盘空间：设置 docker.disk 后容器可能无法启动</translation>
    </message>
    <message>
        <source>an unknown file system</source>
        <translation>未知文件系统</translation>
    </message>
    <message>
        <source>The engine (%1) is too old to name the host in a container: host.docker.internal will not be found there</source>
        <translation>引擎（%1）版本过旧，无法在容器中指明主机：容器内将找不到 host.docker.internal</translation>
    </message>
    <message>
        <source>check docker.context (`%1 context ls`)</source>
        <translation>请检查 docker.context（`%1 context ls`）</translation>
    </message>
    <message>
        <source>start it, check DOCKER_HOST and that you may use it, or set runner.sandbox to local</source>
        <translation>请启动引擎，检查 DOCKER_HOST 以及您是否有权使用它，或将 runner.sandbox 设为 local</translation>
    </message>
    <message>
        <source>The command %1 is not there. Install it, or set runner.sandbox to local</source>
        <translation>找不到命令 %1。请安装它，或将 runner.sandbox 设为 local</translation>
    </message>
    <message>
        <source>The engine behind %1 has not answered for %2 s: %3</source>
        <translation>%1 所用的引擎已有 %2 秒没有响应：%3</translation>
    </message>
    <message>
        <source>No engine can be used through %1; %2. It said: %3</source>
        <translation>无法通过 %1 使用任何引擎；%2。它的输出：%3</translation>
    </message>
    <message>
        <source>the registry has no such image; check docker_image and docker.registry</source>
        <translation>镜像仓库中没有该镜像；请检查 docker_image 和 docker.registry</translation>
    </message>
    <message>
        <source>the registry does not allow it (or has no such image); log in with `docker login` as a user who may</source>
        <translation>镜像仓库不允许拉取（或没有该镜像）；请用 `docker login` 以有权限的用户登录</translation>
    </message>
    <message>
        <source>the registry&apos;s rate limit is reached; log in, or wait and run again</source>
        <translation>已达到镜像仓库的频率限制；请登录，或稍后再运行</translation>
    </message>
    <message>
        <source>the engine&apos;s disk is full; make room there, for example with `docker image prune`</source>
        <translation>引擎的磁盘已满；请腾出空间，例如使用 `docker image prune`</translation>
    </message>
    <message>
        <source>the registry cannot be reached from the engine; check the network and docker.registry</source>
        <translation>引擎无法连接到镜像仓库；请检查网络和 docker.registry</translation>
    </message>
    <message>
        <source>the registry fails; try again later</source>
        <translation>镜像仓库出错；请稍后再试</translation>
    </message>
    <message>
        <source>the image is not made for docker.platform</source>
        <translation>该镜像不适用于 docker.platform</translation>
    </message>
    <message>
        <source>this cannot name an image</source>
        <translation>这不能作为镜像名称</translation>
    </message>
    <message>
        <source>the engine does not answer</source>
        <translation>引擎没有响应</translation>
    </message>
    <message>
        <source>nothing came for too long</source>
        <translation>长时间没有任何输出</translation>
    </message>
    <message>
        <source>the engine refused</source>
        <translation>引擎拒绝了请求</translation>
    </message>
    <message>
        <source>Cannot pull %1: %2</source>
        <translation>无法拉取 %1：%2</translation>
    </message>
    <message>
        <source>%1. The engine said: %2</source>
        <translation>%1。引擎的输出：%2</translation>
    </message>
    <message>
        <source>The engine does not answer: %1</source>
        <translation>引擎没有响应：%1</translation>
    </message>
    <message>
        <source>The image %1 is made for another processor, and this engine cannot run it: %2</source>
        <translation>镜像 %1 是为另一种处理器制作的，此引擎无法运行：%2</translation>
    </message>
    <message>
        <source>The image %1 has no python3, which every task image needs: %2</source>
        <translation>镜像 %1 中没有 python3，而每个任务镜像都需要它：%2</translation>
    </message>
    <message>
        <source>The engine has no image %1, and it was not to be pulled</source>
        <translation>引擎中没有镜像 %1，且设置为不拉取</translation>
    </message>
    <message>
        <source>The Python of the image %1 is incomplete (a minimal one will not do): %2</source>
        <translation>镜像 %1 中的 Python 不完整（精简版不够用）：%2</translation>
    </message>
    <message>
        <source>The container of %1 ended with exit code %2 before it was ready</source>
        <translation>%1 的容器在就绪之前以退出码 %2 结束</translation>
    </message>
    <message>
        <source>container %1</source>
        <translation>容器 %1</translation>
    </message>
    <message>
        <source>Containers that a Proctor left could not be removed: %1</source>
        <translation>无法删除 Proctor 遗留的容器：%1</translation>
    </message>
    <message>
        <source>%1 of %2 layers</source>
        <translation>%2 层中的 %1 层</translation>
    </message>
    <message>
        <source>Pulling %1</source>
        <translation>正在拉取 %1</translation>
    </message>
</context>
<context>
    <name>proctor::Engine</name>
    <message>
        <source>Process %1: %2</source>
        <translation>进程 %1：%2</translation>
    </message>
    <message>
        <source>Stop the run before you open something else</source>
        <translation>请先停止运行，再打开其他内容</translation>
    </message>
    <message>
        <source>These are results to look at. Open the configuration they were made with to run it.</source>
        <translation>这些结果仅供查看。要运行，请打开生成它们的配置。</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · 第 %2 项，共 %3 项</translation>
    </message>
    <message>
        <source>The folder %1 does not exist</source>
        <translation>文件夹 %1 不存在</translation>
    </message>
    <message>
        <source>There are more of these.</source>
        <translation>还有更多。</translation>
    </message>
</context>
<context>
    <name>proctor::EvalConfig</name>
    <message>
        <source>there is no such configuration file</source>
        <translation>没有这个配置文件</translation>
    </message>
    <message>
        <source>this is a folder; a configuration is a YAML file</source>
        <translation>这是文件夹；配置应为 YAML 文件</translation>
    </message>
    <message>
        <source>the configuration cannot be read (%1)</source>
        <translation>无法读取配置（%1）</translation>
    </message>
    <message>
        <source>this file is too large for a configuration</source>
        <translation>此文件太大，不像是配置</translation>
    </message>
</context>
<context>
    <name>proctor::EvalConfigReader</name>
    <message>
        <source>a configuration is a mapping of sections like &apos;agent:&apos; and &apos;runner:&apos;</source>
        <translation>配置是由“agent:”“runner:”等部分组成的映射</translation>
    </message>
    <message>
        <source>this configuration holds no sections; the defaults apply</source>
        <translation>此配置没有任何部分；使用默认值</translation>
    </message>
    <message>
        <source>the section &apos;%1&apos; is empty; its defaults apply</source>
        <translation>“%1”部分为空；使用默认值</translation>
    </message>
    <message>
        <source>the section &apos;%1&apos; must be a mapping of keys to values</source>
        <translation>“%1”部分必须是键到值的映射</translation>
    </message>
    <message>
        <source>%1 must not be negative, but it is %2</source>
        <translation>%1 不能为负，但它是 %2</translation>
    </message>
    <message>
        <source>%1 must be at most %2, but it is %3</source>
        <translation>%1 至多为 %2，但它是 %3</translation>
    </message>
    <message>
        <source>--dataset-config cannot name a results folder: %1</source>
        <translation>--dataset-config 不能作为结果文件夹的名称：%1</translation>
    </message>
    <message>
        <source>&apos;agents&apos; must be a mapping of agent names to registrations</source>
        <translation>“agents”必须是智能体名称到注册信息的映射</translation>
    </message>
    <message>
        <source>the agent name %1 must be text, here in quotes</source>
        <translation>智能体名称 %1 必须是文本，此处须加引号</translation>
    </message>
    <message>
        <source>%1 must be a mapping with a &apos;command&apos;</source>
        <translation>%1 必须是含有“command”的映射</translation>
    </message>
    <message>
        <source>unknown agent &apos;%1&apos;; registered agents: %2</source>
        <translation>未知的智能体“%1”；已注册的智能体：%2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>; did you mean &apos;%1&apos;?</source>
        <translation>；是否想写“%1”？</translation>
    </message>
</context>
<context>
    <name>proctor::ExamRun</name>
    <message>
        <source>Stopped by the user</source>
        <translation>由用户停止</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Proctor failed: %1</source>
        <translation>Proctor 出错：%1</translation>
    </message>
    <message>
        <source>The image %1 has changed since this folder was begun: results of both stand in it</source>
        <translation>镜像 %1 在该文件夹开始之后已发生变化：其中同时含有两个镜像的结果</translation>
    </message>
</context>
<context>
    <name>proctor::Format</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 m %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 m</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>proctor::HostWall</name>
    <message>
        <source>agents.%1: the folder %2 is what sandbox: bubblewrap is there to hide; give the agent a working folder (cwd) of its own</source>
        <translation>agents.%1：文件夹 %2 正是 sandbox: bubblewrap 要隐藏的内容；请为智能体指定它自己的工作文件夹（cwd）</translation>
    </message>
</context>
<context>
    <name>proctor::HttpCall</name>
    <message>
        <source>The request was given up</source>
        <translation>请求已放弃</translation>
    </message>
    <message>
        <source>no complete answer within %1 s</source>
        <translation>在 %1 秒内没有收到完整的回应</translation>
    </message>
    <message>
        <source>the answer is larger than %1 MiB</source>
        <translation>回应超过 %1 MiB</translation>
    </message>
</context>
<context>
    <name>proctor::HttpServer</name>
    <message>
        <source>Cannot listen on 127.0.0.1: %1</source>
        <translation>无法在 127.0.0.1 上监听：%1</translation>
    </message>
</context>
<context>
    <name>proctor::ImagePulls</name>
    <message>
        <source>Nobody waits for the image any more</source>
        <translation>已无人等待该镜像</translation>
    </message>
    <message>
        <source>Cannot ask the engine for the image %1: %2</source>
        <translation>无法向引擎查询镜像 %1：%2</translation>
    </message>
    <message>
        <source>it has said nothing for too long</source>
        <translation>它长时间没有任何输出</translation>
    </message>
    <message>
        <source>Pulling %1 took too long: the engine&apos;s client said nothing for %2 s</source>
        <translation>拉取 %1 耗时过长：引擎客户端已有 %2 秒没有输出</translation>
    </message>
    <message>
        <source>The engine has no image %1, and docker.pull is never</source>
        <translation>引擎中没有镜像 %1，而 docker.pull 为 never</translation>
    </message>
    <message>
        <source>The image %1 was pulled, and yet the engine does not have it</source>
        <translation>镜像 %1 已拉取，但引擎中仍没有它</translation>
    </message>
    <message>
        <source>trying again in %1 s</source>
        <translation>%1 秒后重试</translation>
    </message>
</context>
<context>
    <name>proctor::InstanceId</name>
    <message>
        <source>it is empty</source>
        <translation>它为空</translation>
    </message>
    <message>
        <source>it contains a NUL character</source>
        <translation>它含有 NUL 字符</translation>
    </message>
    <message>
        <source>it contains a &apos;/&apos;</source>
        <translation>它含有“/”</translation>
    </message>
    <message>
        <source>it contains &apos;..&apos; or is &apos;.&apos;</source>
        <translation>它含有“..”或就是“.”</translation>
    </message>
</context>
<context>
    <name>proctor::LocalSandbox</name>
    <message>
        <source>The local sandbox needs bubblewrap. Install it (apt install bubblewrap) and try again.</source>
        <translation>本地沙箱需要 bubblewrap。请安装（apt install bubblewrap）后重试。</translation>
    </message>
    <message>
        <source>The local sandbox cannot work on this machine, and nothing is run without it: %1. bubblewrap needs unprivileged user namespaces, which a plain chroot and some containers forbid.</source>
        <translation>本地沙箱无法在这台机器上工作，没有它就不会运行任何东西：%1。bubblewrap 需要非特权用户命名空间，而普通 chroot 和某些容器不允许使用。</translation>
    </message>
</context>
<context>
    <name>proctor::LogPane</name>
    <message>
        <source>No attempt is selected</source>
        <translation>未选中作答</translation>
    </message>
    <message>
        <source>Select a row above to see how it went and what was written.</source>
        <translation>在上方选择一行，查看作答经过和输出内容。</translation>
    </message>
    <message>
        <source>%1, run %2</source>
        <translation>%1，第 %2 轮</translation>
    </message>
    <message>
        <source>Agent output</source>
        <translation>智能体输出</translation>
    </message>
    <message>
        <source>Agent errors</source>
        <translation>智能体错误输出</translation>
    </message>
    <message>
        <source>Verifier</source>
        <translation>判分程序</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>The agent has printed nothing.</source>
        <translation>智能体没有输出。</translation>
    </message>
    <message>
        <source>The agent has reported no errors.</source>
        <translation>智能体没有错误输出。</translation>
    </message>
    <message>
        <source>The verifier has printed nothing.</source>
        <translation>判分程序没有输出。</translation>
    </message>
    <message>
        <source>There is no answer yet.</source>
        <translation>还没有答案。</translation>
    </message>
    <message>
        <source>Texts of the selected attempt</source>
        <translation>所选作答的文本</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Follow new output</source>
        <translation>跟随新输出</translation>
    </message>
    <message>
        <source>Scroll to new output as it comes</source>
        <translation>有新输出时自动滚动</translation>
    </message>
    <message>
        <source>Selected attempt</source>
        <translation>所选作答</translation>
    </message>
    <message>
        <source>How the selected attempt went</source>
        <translation>所选作答的经过</translation>
    </message>
</context>
<context>
    <name>proctor::MainWindow</name>
    <message>
        <source>Open a configuration</source>
        <translation>打开配置</translation>
    </message>
    <message>
        <source>Configurations (*.yaml *.yml);;All files (*)</source>
        <translation>配置文件 (*.yaml *.yml);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Open results</source>
        <translation>打开结果</translation>
    </message>
    <message>
        <source>About Proctor</source>
        <translation>关于 Proctor</translation>
    </message>
    <message>
        <source>Proctor %1

Sets exams for agents, runs them in a sandbox, marks them and shows the result.

Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Proctor %1

为智能体出题，在沙箱中监考、判分并展示结果。

自由软件，依据 GNU 通用公共许可证第 3 版或更新版本发布。</translation>
    </message>
    <message>
        <source>Close Proctor</source>
        <translation>关闭 Proctor</translation>
    </message>
    <message>
        <source>A run is going on.</source>
        <translation>运行尚未结束。</translation>
    </message>
    <message>
        <source>Attempts that are running will be stopped. What is done is kept, and the rest can be started again later.</source>
        <translation>正在进行的作答将被停止。已完成的会保留，其余可以稍后重新开始。</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>继续运行</translation>
    </message>
    <message>
        <source>Proctor</source>
        <translation>Proctor</translation>
    </message>
    <message>
        <source>%1 – Proctor</source>
        <translation>%1 – Proctor</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Open a configuration…</source>
        <translation>打开配置(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;results…</source>
        <translation>打开结果(&amp;R)…</translation>
    </message>
    <message>
        <source>Try the &amp;demo exam</source>
        <translation>试用演示考试(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;About Proctor</source>
        <translation>关于 Proctor(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Subject of the page</source>
        <translation>页面内容</translation>
    </message>
    <message>
        <source>Menus</source>
        <translation>菜单</translation>
    </message>
</context>
<context>
    <name>proctor::OpenedExam</name>
    <message>
        <source>There are no results in %1: open a folder with a scores.jsonl in it</source>
        <translation>%1 中没有结果：请打开含有 scores.jsonl 的文件夹</translation>
    </message>
    <message>
        <source>There is no file or folder %1</source>
        <translation>没有文件或文件夹 %1</translation>
    </message>
</context>
<context>
    <name>proctor::OutputPaths</name>
    <message>
        <source>an output path is empty</source>
        <translation>有一个输出路径为空</translation>
    </message>
    <message>
        <source>the output path &apos;%1&apos; contains a backslash or NUL character</source>
        <translation>输出路径“%1”含有反斜杠或 NUL 字符</translation>
    </message>
    <message>
        <source>the output path &apos;%1&apos; must lie below the output folder</source>
        <translation>输出路径“%1”必须位于输出文件夹之下</translation>
    </message>
    <message>
        <source>the output path &apos;%1&apos; must lie below artifacts/</source>
        <translation>输出路径“%1”必须位于 artifacts/ 之下</translation>
    </message>
</context>
<context>
    <name>proctor::Process</name>
    <message>
        <source>it was no longer needed</source>
        <translation>不再需要它</translation>
    </message>
</context>
<context>
    <name>proctor::RegisteredAgent</name>
    <message>
        <source>Cannot make the folder %1</source>
        <translation>无法创建文件夹 %1</translation>
    </message>
    <message>
        <source>The task&apos;s %1 is larger than %2 MB</source>
        <translation>题目的 %1 大于 %2 MB</translation>
    </message>
    <message>
        <source>The task has no tool_defs.json, in /app or /app/environment, which an agent on the host needs</source>
        <translation>题目在 /app 和 /app/environment 中都没有 tool_defs.json，而主机上的智能体需要它</translation>
    </message>
    <message>
        <source>The working folder of agent “%1” does not exist: %2</source>
        <translation>智能体“%1”的工作文件夹不存在：%2</translation>
    </message>
</context>
<context>
    <name>proctor::RunHeader</name>
    <message>
        <source>Remarks: %1</source>
        <translation>备注：%1</translation>
    </message>
    <message>
        <source>What runs</source>
        <translation>运行内容</translation>
    </message>
    <message>
        <source>Runs that have ended</source>
        <translation>已结束的运行</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>What was noticed in the configuration or the results folder</source>
        <translation>在配置或结果文件夹中发现的情况</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>备注</translation>
    </message>
</context>
<context>
    <name>proctor::RunModel</name>
    <message>
        <source>%1: none</source>
        <translation>%1：无</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Instance</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>领域</translation>
    </message>
    <message>
        <source>Run</source>
        <comment>the number of a run, a column</comment>
        <translation>轮次</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Tool calls</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>Reward</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>proctor::RunPage</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>没有与“%1”匹配的作答</translation>
    </message>
    <message>
        <source>The filter looks at instance, domain and state.</source>
        <translation>筛选范围为题目、领域和状态。</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Start new attempts again</source>
        <translation>重新开始新的作答</translation>
    </message>
    <message>
        <source>Start no new attempt and let running ones end</source>
        <translation>不再开始新的作答，让进行中的作答完成</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
    <message>
        <source>Run what has not been run</source>
        <translation>运行尚未运行的题目</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>End what is running; it can be started again later</source>
        <translation>结束正在进行的作答，稍后可以重新开始</translation>
    </message>
    <message>
        <source>&amp;Filter attempts</source>
        <translation>筛选作答(&amp;F)</translation>
    </message>
    <message>
        <source>Go to the filter</source>
        <translation>转到筛选框</translation>
    </message>
    <message>
        <source>Stop this &amp;attempt</source>
        <translation>停止此次作答(&amp;A)</translation>
    </message>
    <message>
        <source>End the selected attempt and let the others go on</source>
        <translation>结束所选作答，其他作答继续</translation>
    </message>
    <message>
        <source>&amp;Copy rows</source>
        <translation>复制行(&amp;C)</translation>
    </message>
    <message>
        <source>Copy the selected rows as a table</source>
        <translation>将所选行复制为表格</translation>
    </message>
    <message>
        <source>&amp;Open folder</source>
        <translation>打开文件夹(&amp;O)</translation>
    </message>
    <message>
        <source>Show the files of the selected attempt</source>
        <translation>显示所选作答的文件</translation>
    </message>
    <message>
        <source>&amp;Retry failed</source>
        <translation>重试失败(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;All without a reward</source>
        <translation>所有没有得分的(&amp;A)</translation>
    </message>
    <message>
        <source>Failures of the a&amp;gent</source>
        <translation>智能体失败(&amp;G)</translation>
    </message>
    <message>
        <source>Failures of the &amp;harness</source>
        <translation>环境失败(&amp;H)</translation>
    </message>
    <message>
        <source>Retry failed</source>
        <translation>重试失败</translation>
    </message>
    <message>
        <source>Run attempts again that ended without a reward</source>
        <translation>重新运行没有得分的作答</translation>
    </message>
    <message>
        <source>At a ti&amp;me</source>
        <translation>同时进行(&amp;M)</translation>
    </message>
    <message>
        <source>Attempts at a time</source>
        <translation>同时进行的作答数</translation>
    </message>
    <message>
        <source>How many attempts run side by side; may be changed during a run</source>
        <translation>同时进行多少个作答；运行中也可以更改</translation>
    </message>
    <message>
        <source>Filter attempts</source>
        <translation>筛选作答</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>作答</translation>
    </message>
    <message>
        <source>Columns of the attempts</source>
        <translation>作答表的列</translation>
    </message>
    <message>
        <source>Nothing to run yet</source>
        <translation>还没有可运行的内容</translation>
    </message>
    <message>
        <source>Open a configuration (Ctrl+O), drop one here, or try the demo exam.</source>
        <translation>请打开配置（Ctrl+O）、将配置拖到此处，或试用演示考试。</translation>
    </message>
    <message>
        <source>Try the demo exam</source>
        <translation>试用演示考试</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
</context>
<context>
    <name>proctor::RunPageJoiner</name>
    <message>
        <source>Cleaned up</source>
        <translation>已清理</translation>
    </message>
    <message>
        <source>An earlier Proctor ended unexpectedly. What it had left was removed.</source>
        <translation>先前的 Proctor 意外结束，它留下的内容已被清除。</translation>
    </message>
</context>
<context>
    <name>proctor::RunPlan</name>
    <message>
        <source>&apos;%1&apos; cannot be retried; there are agent, harness, lost and cancelled</source>
        <translation>“%1”不能重试；可选 agent、harness、lost 和 cancelled</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (near: %2)</source>
        <translation>“%1”（相近：%2）</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>no instance matches %1</source>
        <translation>没有题目与 %1 匹配</translation>
    </message>
    <message>
        <source>the selection of instances is empty</source>
        <translation>没有选中任何题目</translation>
    </message>
    <message>
        <source>the limit must not be negative, but it is %1</source>
        <translation>数量上限不能为负，但它是 %1</translation>
    </message>
    <message>
        <source>the number of runs must be at least 1, but it is %1</source>
        <translation>轮数至少为 1，但它是 %1</translation>
    </message>
</context>
<context>
    <name>proctor::ShellWords</name>
    <message>
        <source>a quotation begun with %1 does not end</source>
        <translation>以 %1 开始的引号没有闭合</translation>
    </message>
    <message>
        <source>nothing follows the last backslash</source>
        <translation>最后一个反斜杠后没有内容</translation>
    </message>
</context>
<context>
    <name>proctor::Standing</name>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Scored</source>
        <translation>已得分</translation>
    </message>
    <message>
        <source>Agent failed</source>
        <translation>智能体失败</translation>
    </message>
    <message>
        <source>Harness failed</source>
        <translation>环境失败</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Fetching the task</source>
        <translation>获取任务</translation>
    </message>
    <message>
        <source>Starting the sandbox</source>
        <translation>启动沙箱</translation>
    </message>
    <message>
        <source>Setting up</source>
        <translation>准备环境</translation>
    </message>
    <message>
        <source>Agent at work</source>
        <translation>智能体作答</translation>
    </message>
    <message>
        <source>Taking the answer</source>
        <translation>收取答案</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>判分</translation>
    </message>
    <message>
        <source>Reading the reward</source>
        <translation>读取得分</translation>
    </message>
    <message>
        <source>Cleaning up</source>
        <translation>清理</translation>
    </message>
    <message>
        <source>The agent left no answer.</source>
        <translation>智能体没有留下答案。</translation>
    </message>
    <message>
        <source>Its time was up; what it had written was verified.</source>
        <translation>时间已到；已对写出的内容判分。</translation>
    </message>
    <message>
        <source>It ran out of memory.</source>
        <translation>内存不足。</translation>
    </message>
    <message>
        <source>It left processes behind, which were ended.</source>
        <translation>它留下的进程已被结束。</translation>
    </message>
    <message>
        <source>Its output was too long; the middle is not kept.</source>
        <translation>输出过长，中间部分未保留。</translation>
    </message>
    <message>
        <source>The verifier wrote a reward but reported a failure.</source>
        <translation>判分程序写出了得分，但报告失败。</translation>
    </message>
    <message>
        <source>The verifier wrote two different rewards; /app/reward.txt counts.</source>
        <translation>判分程序写出了两个不同的得分；以 /app/reward.txt 为准。</translation>
    </message>
    <message>
        <source>Remark: %1.</source>
        <translation>备注：%1。</translation>
    </message>
    <message>
        <source>Scored %1 in %2.</source>
        <translation>得分 %1，用时 %2。</translation>
    </message>
    <message>
        <source>The agent failed after %1; this counts as 0 in the mean.</source>
        <translation>智能体在 %1 后失败；在均值中计为 0。</translation>
    </message>
    <message>
        <source>Not the agent&apos;s fault: it failed after %1 and is left out of the mean.</source>
        <translation>不是智能体的责任：在 %1 后失败，不计入均值。</translation>
    </message>
    <message>
        <source>Stopped after %1. It will run again at the next start.</source>
        <translation>在 %1 后停止。下次开始时会重新运行。</translation>
    </message>
    <message>
        <source>Lost: the run ended before this attempt did. It will run again at the next start.</source>
        <translation>丢失：作答尚未结束，运行就已终止。下次开始时会重新运行。</translation>
    </message>
    <message>
        <source>Not run yet.</source>
        <translation>尚未运行。</translation>
    </message>
    <message>
        <source>%1, %2 so far.</source>
        <translation>%1，已用 %2。</translation>
    </message>
</context>
<context>
    <name>proctor::StatusLine</name>
    <message>
        <source>mean %1</source>
        <translation>均值 %1</translation>
    </message>
    <message>
        <source>mean %1 ± %2</source>
        <translation>均值 %1 ± %2</translation>
    </message>
    <message>
        <source>No exam is open</source>
        <translation>未打开考试</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>考试</translation>
    </message>
    <message>
        <source>%1 scored</source>
        <translation>得分 %1</translation>
    </message>
    <message>
        <source>%1 agent failed</source>
        <translation>智能体失败 %1</translation>
    </message>
    <message>
        <source>%1 harness failed</source>
        <translation>环境失败 %1</translation>
    </message>
    <message>
        <source>%1 not run</source>
        <translation>未运行 %1</translation>
    </message>
    <message>
        <source>not run: unknown</source>
        <translation>未运行：未知</translation>
    </message>
    <message>
        <source>Mean reward with its 95 % interval</source>
        <translation>平均得分及其 95 % 区间</translation>
    </message>
    <message>
        <source>Failures of the agent count as 0, failures of the harness are left out</source>
        <translation>智能体失败计为 0，环境失败不计入</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>剩余时间</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
</context>
<context>
    <name>proctor::StatusSentence</name>
    <message>
        <source>%1 of %2 done, %3 at work</source>
        <translation>已完成 %1 / %2，进行中 %3</translation>
    </message>
    <message>
        <source>, about %1 left</source>
        <translation>，约剩 %1</translation>
    </message>
    <message>
        <source>No exam is open.</source>
        <translation>未打开考试。</translation>
    </message>
    <message>
        <source>Ready: %1 to run, %2 at a time, %3 already done.</source>
        <translation>就绪：待运行 %1，同时进行 %2，已完成 %3。</translation>
    </message>
    <message>
        <source>Running: %1.</source>
        <translation>运行中：%1。</translation>
    </message>
    <message>
        <source>Pausing: %1. No new attempt starts.</source>
        <translation>正在暂停：%1。不再开始新的作答。</translation>
    </message>
    <message>
        <source>Paused: %1. Resume to go on.</source>
        <translation>已暂停：%1。点“继续”接着运行。</translation>
    </message>
    <message>
        <source>Stopping: what still runs is being ended.</source>
        <translation>正在停止：正在结束仍在进行的作答。</translation>
    </message>
    <message>
        <source>Stopped: %1 not run. Start to go on where it ended.</source>
        <translation>已停止：%1 个未运行。点“开始”从中断处继续。</translation>
    </message>
    <message>
        <source>Finished: all %1 scored.</source>
        <translation>已完成：%1 个全部得分。</translation>
    </message>
    <message>
        <source>Finished: %1 of %2 scored. Failures can be run again.</source>
        <translation>已完成：%2 个中有 %1 个得分。失败的可以重新运行。</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 without a score</source>
        <translation>%1 无得分</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>proctor::WelcomePage</name>
    <message>
        <source>Home</source>
        <translation>首页</translation>
    </message>
    <message>
        <source>Proctor</source>
        <translation>Proctor</translation>
    </message>
    <message>
        <source>Sets an exam for an agent, watches it at work in a sandbox, marks it and shows the result.</source>
        <translation>为智能体出题，在沙箱中监考、判分并展示结果。</translation>
    </message>
    <message>
        <source>Try the demo exam</source>
        <translation>试用演示考试</translation>
    </message>
    <message>
        <source>Twelve small tasks and two agents. No network, no key, half a minute.</source>
        <translation>十二道小题，两个智能体。无需网络和密钥，半分钟即可。</translation>
    </message>
    <message>
        <source>Open a configuration</source>
        <translation>打开配置</translation>
    </message>
    <message>
        <source>A YAML file that says which exam, which agent and how.</source>
        <translation>一个 YAML 文件，说明考什么、由谁考、怎么考。</translation>
    </message>
    <message>
        <source>Open results</source>
        <translation>打开结果</translation>
    </message>
    <message>
        <source>The folder of an earlier run, to look at it or to go on with it.</source>
        <translation>之前运行的文件夹，可以查看，也可以接着运行。</translation>
    </message>
    <message>
        <source>A file or a folder can also be dropped anywhere in this window.</source>
        <translation>也可以将文件或文件夹拖到窗口中的任意位置。</translation>
    </message>
</context>
<context>
    <name>proctor::Yaml</name>
    <message>
        <source>this is not YAML (%1)</source>
        <translation>这不是 YAML（%1）</translation>
    </message>
    <message>
        <source>a second YAML document begins here; the file may hold only one</source>
        <translation>第二个 YAML 文档从这里开始；文件中只能有一个</translation>
    </message>
    <message>
        <source>this is nested more than %1 levels deep</source>
        <translation>嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>the anchor &apos;%1&apos; is already defined</source>
        <translation>锚点“%1”已经定义</translation>
    </message>
    <message>
        <source>the alias &apos;%1&apos; stands inside what it refers to</source>
        <translation>别名“%1”位于它所引用的内容之内</translation>
    </message>
    <message>
        <source>no anchor &apos;%1&apos; is defined above</source>
        <translation>前面没有定义锚点“%1”</translation>
    </message>
    <message>
        <source>the tag &apos;%1&apos; is not known</source>
        <translation>未知的标签“%1”</translation>
    </message>
    <message>
        <source>this has the form of a number or date but is none; put it in quotes to mean text</source>
        <translation>它形似数字或日期但并不是；若是文本请加引号</translation>
    </message>
    <message>
        <source>&apos;&lt;&lt;&apos; stands for nothing in a list; put it in quotes to mean the text</source>
        <translation>“&lt;&lt;”在列表中没有意义；若是文本请加引号</translation>
    </message>
    <message>
        <source>the tag &apos;%1&apos; is not known or not for this kind of value</source>
        <translation>标签“%1”未知，或不适用于这种值</translation>
    </message>
    <message>
        <source>a list or mapping cannot be a key</source>
        <translation>列表或映射不能作为键</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is already given in line %2; this later one counts</source>
        <translation>“%1”已在第 %2 行给出；以后面的为准</translation>
    </message>
    <message>
        <source>only mappings can be merged by &apos;&lt;&lt;&apos;</source>
        <translation>只有映射才能用“&lt;&lt;”合并</translation>
    </message>
    <message>
        <source>&apos;&lt;&lt;&apos; takes a mapping or a list of mappings</source>
        <translation>“&lt;&lt;”后面应为映射或映射列表</translation>
    </message>
</context>
<context>
    <name>proctor::YamlText</name>
    <message>
        <source>the file is not encoded in UTF-8</source>
        <translation>文件编码不是 UTF-8</translation>
    </message>
</context>
</TS>
